// The messages of an analysis (`woodstock.web.analysis`).

export interface RootMove {
  move: string;
  visits: number;
  value: number;
  interval: [number, number];
  bounds: [number, number];
  is_proven: boolean;
  line?: string[][];
}

export interface RoleReport {
  role: string;
  value: number;
  interval: [number, number] | null;
  bounds: [number, number] | null;
  is_proven: boolean;
  count: number;
  moves: RootMove[];
}

export interface Search {
  type: "search";
  seconds: number;
  simulations: number;
  rate: number;
  states: number;
  memory_bytes: number;
  hash_hits: number;
  prunings: number;
  is_proven: boolean;
  notes: string[];
  roles: RoleReport[];
}

export interface Symmetries {
  problem?: string;
  order: number;
  is_whole: boolean;
  classes: Record<string, string[][]>;
  different: Record<string, number>;
}

export interface Solution {
  problem?: string;
  values: Record<string, { text: string; number: number }>;
  meaning: string;
  states: number;
  seconds: number;
  moves: { role: string; move: string; value: { text: string; number: number }; is_best: boolean }[];
}

export interface Playouts {
  problem?: string;
  count: number;
  rate: number;
  length: number;
  truncated: number;
  stuck: number;
  goals: Record<string, { mean: number | null; interval: [number, number] | null; histogram: Record<string, number> }>;
}

export interface NetworkSize {
  problem?: string;
  variables: number;
  auxiliary: number;
  largest_domain: number;
  constraints: number;
  tables: number;
  tuples: number;
}

export interface Loss {
  role: string;
  move: string;
  better: string;
  points: number;
  kind: "inaccuracy" | "mistake" | "blunder";
}

export interface Reviewed {
  index: number;
  values: Record<string, number>;
  is_proven: boolean;
  losses: Loss[];
}
