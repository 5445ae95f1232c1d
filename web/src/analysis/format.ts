// Numbers as people read them.

/** Return a count in short: 12,345 or 1.2 M. */
export function count(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(1)} k`;
  return Math.round(value).toLocaleString("en");
}

/** Return an expected score, 0 to 100. */
export function score(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
