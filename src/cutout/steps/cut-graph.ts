/**
 * The minimum cut of a small graph between a source and a sink: Dinic's algorithm (1970), with capacities of any
 * positive number. Fast enough for a few thousand nodes, which is what a photo's regions are.
 */

export interface Link {
  readonly from: number;
  readonly to: number;
  /** The same in both directions. */
  readonly capacity: number;
}

export interface CutProblem {
  /** Of each node: positive is what cutting it from the source costs, negative what cutting it from the sink does. */
  readonly pulls: Float64Array;
  readonly links: readonly Link[];
}

/** Below this, an edge counts as full. */
const FULL = 1e-9;

/** 1 for each node on the source's side of the minimum cut. */
export function cutGraph({ pulls, links }: CutProblem): Uint8Array {
  const network = openNetwork(pulls.length + 2);
  const source = pulls.length;
  const sink = source + 1;
  pulls.forEach((pull, node) => {
    if (pull > 0) network.addEdge(source, node, pull, 0);
    else if (pull < 0) network.addEdge(node, sink, -pull, 0);
  });
  for (const { from, to, capacity } of links) network.addEdge(from, to, capacity, capacity);
  while (network.findLevels(source)[sink]! >= 0) network.fill(source, sink);
  const levels = network.findLevels(source);
  return Uint8Array.from(pulls, (_, node) => (levels[node]! >= 0 ? 1 : 0));
}

function openNetwork(nodes: number) {
  const heads: number[][] = Array.from({ length: nodes }, () => []);
  const targets: number[] = [];
  const rest: number[] = [];
  let levels = new Int32Array(nodes);

  return {
    addEdge(from: number, to: number, there: number, back: number): void {
      heads[from]!.push(targets.length);
      targets.push(to);
      rest.push(there);
      // The way back is always the odd one beside it.
      heads[to]!.push(targets.length);
      targets.push(from);
      rest.push(back);
    },

    /** Steps from the source along edges with room; -1 for what it does not reach. */
    findLevels(source: number): Int32Array {
      levels = new Int32Array(nodes).fill(-1);
      levels[source] = 0;
      const queue = [source];
      for (const node of queue) {
        for (const edge of heads[node]!) {
          const next = targets[edge]!;
          if (levels[next]! >= 0 || rest[edge]! <= FULL) continue;
          levels[next] = levels[node]! + 1;
          queue.push(next);
        }
      }
      return levels;
    },

    /** A blocking flow along the levels, path by path. */
    fill(source: number, sink: number): void {
      const next = new Int32Array(nodes);
      const path: number[] = [];
      let node = source;
      for (;;) {
        if (node === sink) {
          const room = path.reduce((least, edge) => Math.min(least, rest[edge]!), Number.POSITIVE_INFINITY);
          let keep = path.length;
          path.forEach((edge, n) => {
            rest[edge]! -= room;
            rest[edge ^ 1]! += room;
            if (rest[edge]! <= FULL && n < keep) keep = n;
          });
          node = targets[path[keep]! ^ 1]!;
          path.length = keep;
          continue;
        }
        const edges = heads[node]!;
        while (next[node]! < edges.length) {
          const edge = edges[next[node]!]!;
          if (rest[edge]! > FULL && levels[targets[edge]!] === levels[node]! + 1) break;
          next[node]!++;
        }
        if (next[node]! < edges.length) {
          const edge = edges[next[node]!]!;
          path.push(edge);
          node = targets[edge]!;
        } else {
          if (node === source) return;
          const edge = path.pop()!;
          node = targets[edge ^ 1]!;
          next[node]!++;
        }
      }
    },
  };
}
