// A choice of the reader that this browser remembers.

export interface Setting {
  value: boolean;
}

export function setting(name: string, usual: boolean): Setting {
  let now = usual;
  try {
    const kept = localStorage.getItem(name);
    if (kept !== null) now = kept === "yes";
  } catch {
    // Without storage the usual value holds.
  }
  return {
    get value() {
      return now;
    },
    set value(wanted: boolean) {
      now = wanted;
      try {
        localStorage.setItem(name, wanted ? "yes" : "no");
      } catch {
        // It holds for this page alone.
      }
    },
  };
}
