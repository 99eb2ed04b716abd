/**
 * Minimum cut of a small graph between a source and a sink: Dinic's algorithm (1970), with arbitrary positive
 * capacities. Fast enough for a few thousand nodes, such as the regions of a photo.
 */

export interface Link {
  readonly from: number;
  readonly to: number;
  /** Capacity of the link, the same in both directions. */
  readonly capacity: number;
}

export interface CutProblem {
  /**
   * Terminal capacity per node. A positive value is the cost of cutting the node from the source; the
   * absolute value of a negative one is the cost of cutting it from the sink.
   */
  readonly pulls: Float64Array;
  readonly links: readonly Link[];
}

/** Residual capacity below which an edge counts as saturated. */
const FULL = 1e-9;

/** Returns 1 for each node on the source's side of the minimum cut, and 0 for all others. */
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
      // The reverse edge has the odd index next to it.
      heads[to]!.push(targets.length);
      targets.push(from);
      rest.push(back);
    },

    /** BFS levels from the source along edges with residual capacity; -1 for unreachable nodes. */
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

    /** Finds a blocking flow along the levels, path by path. */
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
