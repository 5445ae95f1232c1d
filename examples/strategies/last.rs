// A strategy in Rust: always the last legal move.
//
//     rustc --crate-type cdylib -o liblast.so examples/strategies/last.rs
//     woodstock match connect-four lib:./liblast.so random
use std::os::raw::{c_char, c_double, c_int, c_ulonglong};

#[repr(C)]
pub struct Match {
    match_id: *const c_char,
    role: *const c_char,
    rules: *const c_char,
    start_clock_s: c_double,
    play_clock_s: c_double,
    seed: c_ulonglong,
}

#[repr(C)]
pub struct Turn {
    turn: c_int,
    last_move_count: c_int,
    last_moves: *const *const c_char,
    fluent_count: c_int,
    fluents: *const *const c_char,
    legal_count: c_int,
    legal: *const *const c_char,
    seconds: c_double,
}

#[no_mangle]
pub extern "C" fn woodstock_version() -> c_int {
    1
}

#[no_mangle]
pub extern "C" fn woodstock_start(_match: *const Match) -> c_int {
    0
}

#[no_mangle]
pub extern "C" fn woodstock_play(turn: *const Turn) -> c_int {
    // woodstock keeps the turn alive until this returns, and there is always a legal move.
    unsafe { (*turn).legal_count - 1 }
}

#[no_mangle]
pub extern "C" fn woodstock_stop(_goal: c_int) -> c_int {
    0
}
