// StepProgram and MatchBatch for Python: the native half of woodstock.env.

#include <mutex>

#include "bindings/common.hpp"
#include "env/match_batch.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

constexpr std::initializer_list<std::pair<const char*, Backend>> kBackends = {
    {"auto", Backend::kAuto},     {"jit", Backend::kMachineCode}, {"jit512", Backend::kAvx512Code},
    {"avx512", Backend::kAvx512}, {"avx2", Backend::kAvx2},       {"portable", Backend::kPortable}};

std::shared_ptr<StepProgram> make_program(std::shared_ptr<Circuit> circuit, const std::string& backend) {
  const Backend chosen = choose<Backend>(backend, "backend", kBackends);
  return unlocked([&] { return std::make_shared<StepProgram>(circuit, chosen); });
}

Format format(const std::string& name) {
  return choose<Format>(name, "format", {{"none", Format::kNone}, {"bytes", Format::kBytes}, {"bits", Format::kBits}});
}

// The arrays of a batch stay valid as long as anyone holds them.
template <typename T>
nb::object array_over(std::shared_ptr<MatchBatch> batch, T* data, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::shared_ptr<MatchBatch>(std::move(batch));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<MatchBatch>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape, owner));
}

using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Moves = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using States = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

class PyMatchBatch {
 public:
  PyMatchBatch(std::shared_ptr<StepProgram> program, std::size_t matches, std::uint64_t seed, std::uint32_t threads,
               const std::string& autoreset, std::uint32_t max_steps, bool is_single, const std::string& observations,
               const std::string& masks, bool keeps_finals, std::vector<std::uint32_t> players,
               std::int32_t chance_role, std::vector<std::vector<std::uint32_t>> moves,
               std::vector<std::vector<std::int32_t>> views, const std::vector<nb::bytes>& starts) {
    BatchOptions options;
    options.matches = matches;
    options.seed = seed;
    options.threads = threads;
    options.autoreset = choose<Autoreset>(
        autoreset, "autoreset",
        {{"never", Autoreset::kNever}, {"same", Autoreset::kSameStep}, {"next", Autoreset::kNextStep}});
    options.max_steps = max_steps;
    options.is_single = is_single;
    options.observations = format(observations);
    options.masks = format(masks);
    options.keeps_finals = keeps_finals;
    options.players = std::move(players);
    options.chance_role = chance_role;
    options.moves = std::move(moves);
    options.views = std::move(views);
    for (const nb::bytes& state : starts) options.starts.push_back(to_words(state, program->circuit().state_words()));
    batch_ = unlocked([&] { return std::make_shared<MatchBatch>(std::move(program), std::move(options)); });
  }

  void reset(std::uint64_t seed) {
    locked([&] { batch_->reset(seed); });
  }
  void restart(const Flags& which) {
    check(which.shape(0), batch_->matches());
    locked([&] { batch_->restart(which.data()); });
  }

  // None, or (reason, match, player, index).
  nb::object step(const Moves& moves, const std::optional<Flags>& only) {
    const std::size_t wanted = batch_->matches() * (batch_->options().is_single ? 1 : batch_->players());
    check(moves.size(), wanted);
    GivenMoves given;
    if (only.has_value()) {
      check(only->shape(0), batch_->matches());
      given.only = only->data();
    }
    if (moves.dtype() == nb::dtype<std::int32_t>())
      given.narrow = static_cast<const std::int32_t*>(moves.data());
    else if (moves.dtype() == nb::dtype<std::int64_t>())
      given.wide = static_cast<const std::int64_t*>(moves.data());
    else
      throw nb::type_error("moves must be int32 or int64");
    const std::optional<Refusal> refusal = locked([&] { return batch_->step(given); });
    if (!refusal.has_value()) return nb::none();
    constexpr const char* kReasons[] = {"range", "illegal", "choice", "several"};
    return nb::make_tuple(kReasons[static_cast<std::size_t>(refusal->reason)], refusal->match, refusal->player,
                          refusal->index);
  }

  void sample(const nb::ndarray<std::int32_t, nb::c_contig, nb::device::cpu>& to) {
    check(to.size(), batch_->matches() * (batch_->options().is_single ? 1 : batch_->players()));
    locked([&] { batch_->sample(to.data()); });
  }

  nb::object save() {
    std::vector<std::uint64_t> states(batch_->matches() * batch_->state_words());
    locked([&] { batch_->save(states.data()); });
    return to_numpy(std::move(states), batch_->matches(), batch_->state_words());
  }
  void load(const States& states, const Int32s& turns) {
    check(states.shape(0), batch_->matches());
    check(states.shape(1), batch_->state_words());
    check(turns.shape(0), batch_->matches());
    locked([&] { batch_->load(states.data(), turns.data()); });
  }

  // The legal moves of all players of all matches as indices, and where each list begins.
  nb::tuple legal_indices() {
    std::vector<std::int32_t> indices;
    std::vector<std::int64_t> begins{0};
    locked([&] {
      for (std::size_t match = 0; match < batch_->matches(); ++match)
        for (std::size_t p = 0; p < batch_->players(); ++p) {
          const Word* row = batch_->legal_row(match, p);
          for (std::size_t w = 0; w < batch_->legal_row_words(p); ++w)
            for (Word bits = row[w]; bits != 0; bits &= bits - 1)
              indices.push_back(static_cast<std::int32_t>(w * 64) + std::countr_zero(bits));
          begins.push_back(static_cast<std::int64_t>(indices.size()));
        }
    });
    return nb::make_tuple(to_numpy(std::move(indices)), to_numpy(std::move(begins)));
  }

  nb::list ambiguities() const {
    nb::list rows;
    for (const Ambiguity& found : batch_->ambiguities())
      rows.append(nb::make_tuple(found.match, found.player, to_bytes(found.state)));
    return rows;
  }

  nb::dict arrays() const {
    MatchBatch& batch = *batch_;
    BatchOutputs& out = batch.outputs();
    const std::size_t n = batch.matches(), players = batch.players();
    nb::dict d;
    if (batch.observation_bytes() != 0) {
      d["observations"] = array_over(batch_, out.observations, {n, batch.views(), batch.observation_bytes()});
      if (batch.options().keeps_finals)
        d["finals"] = array_over(batch_, out.finals, {n, batch.views(), batch.observation_bytes()});
    }
    if (batch.mask_bytes() != 0) d["masks"] = array_over(batch_, out.masks, {n, batch.mask_rows(), batch.mask_bytes()});
    d["goals"] = array_over(batch_, out.goals.data(), {n, players});
    d["turn"] = array_over(batch_, out.turn.data(), {n});
    d["terminal"] = array_over(batch_, out.terminal.data(), {n});
    d["truncated"] = array_over(batch_, out.truncated.data(), {n});
    d["to_move"] = array_over(batch_, out.to_move.data(), {n});
    return d;
  }

 private:
  static void check(std::size_t given, std::size_t wanted) {
    if (given != wanted)
      throw nb::value_error(("expected " + std::to_string(wanted) + ", got " + std::to_string(given)).c_str());
  }
  // Two Python threads may call at once; the second waits.
  template <typename Work>
  std::invoke_result_t<const Work&> locked(const Work& work) {
    return unlocked([&] {
      std::lock_guard lock(mutex_);
      return work();
    });
  }

  std::shared_ptr<MatchBatch> batch_;
  std::mutex mutex_;
};

}  // namespace

void bind_env(nb::module_& m) {
  nb::class_<StepProgram>(m, "StepProgram", "A game compiled for matches whose moves the caller chooses.")
      .def_prop_ro("backend", [](const StepProgram& self) { return self.machine().name; })
      .def_prop_ro("operations", &StepProgram::operations)
      .def_prop_ro("code_bytes", &StepProgram::code_bytes)
      .def_prop_ro("lanes", &StepProgram::lanes);
  m.def("make_step_program", &make_program, "circuit"_a, "backend"_a = "auto");
  nb::class_<PyMatchBatch>(m, "MatchBatch", "Many matches stepped together by moves that the caller chooses.")
      .def(nb::init<std::shared_ptr<StepProgram>, std::size_t, std::uint64_t, std::uint32_t, const std::string&,
                    std::uint32_t, bool, const std::string&, const std::string&, bool, std::vector<std::uint32_t>,
                    std::int32_t, std::vector<std::vector<std::uint32_t>>, std::vector<std::vector<std::int32_t>>,
                    const std::vector<nb::bytes>&>(),
           "program"_a, "matches"_a, "seed"_a, "threads"_a, "autoreset"_a, "max_steps"_a, "is_single"_a,
           "observations"_a, "masks"_a, "keeps_finals"_a, "players"_a, "chance_role"_a, "moves"_a, "views"_a,
           "starts"_a)
      .def("reset", &PyMatchBatch::reset, "seed"_a)
      .def("restart", &PyMatchBatch::restart, "which"_a)
      .def("step", &PyMatchBatch::step, "moves"_a, "only"_a.none() = nb::none(),
           "None, or (reason, match, player, index) of the first bad move.",
           // The element type is left open: int32 and int64 both come from users.
           nb::sig("def step(self, moves: NDArray[typing.Any], only: NDArray[numpy.uint8] | None = None) -> "
                   "tuple[int, int, int, int] | None"))
      .def("sample", &PyMatchBatch::sample, "to"_a.noconvert())
      .def("save", &PyMatchBatch::save)
      .def("load", &PyMatchBatch::load, "states"_a, "turns"_a)
      .def("legal_indices", &PyMatchBatch::legal_indices)
      .def("ambiguities", &PyMatchBatch::ambiguities, "(match, player, packed final state) of the last step.")
      .def("arrays", &PyMatchBatch::arrays, "The output buffers as arrays, without copies.");
}
