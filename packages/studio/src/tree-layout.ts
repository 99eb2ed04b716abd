/**
 * Lays out a tree for `ray-kernels.wasm`: nodes with four children and leaves with four triangles, one per SIMD lane.
 */
/** The binary tree, as `bvh` builds it. */
export interface BinaryTree {
  /** Corners of the triangles: nine numbers per triangle, in input order. */
  readonly corners: Float32Array;
  /** Indices of the triangles, in tree order. */
  readonly order: Uint32Array;
  /** Lower and upper bounds: six numbers per node. */
  readonly bounds: Float32Array;
  /**
   * Two numbers per node. Leaf: position of its first triangle in `order`, and number of triangles. Inner node: its
   * first child (the second child follows directly), and 0.
   */
  readonly nodes: Int32Array;
}

/** Floats per node and per leaf; both are multiples of UNIT. */
const NODE = 32;
const LEAF = 40;
/** References are in units of 8 floats (32 bytes), so that a float can hold them exactly up to 512 MB. */
const UNIT = 8;
/** Offsets in a node and in a leaf; ray-kernels.ts documents the layout. */
const REFERENCES = 24;
const MASK = 28;
const FIRST = 36;
const WIDTH = 4;

/** A child of a node: an inner node of the binary tree, or the triangles `from` to `to` (exclusive) of a leaf. */
interface Branch {
  readonly node: number;
  /** First of the inner node's two children; 0 for a leaf, which is unambiguous because node 0 is the root. */
  readonly child: number;
  readonly from: number;
  readonly to: number;
}

export function layOutTree(binary: BinaryTree): Float32Array {
  const layout = new TreeLayout(binary);
  if (binary.order.length > 0) {
    layout.writeNode(0, layout.branchesOf(layout.branchAt(0)));
  }
  return layout.finish();
}

class TreeLayout {
  readonly #binary: BinaryTree;
  #tree: Float32Array;
  #size = NODE;

  constructor(binary: BinaryTree) {
    this.#binary = binary;
    // Estimated size for two triangles per leaf and three children per node.
    this.#tree = new Float32Array(NODE + Math.ceil(binary.order.length / 2) * (LEAF + NODE / 2));
  }

  finish(): Float32Array {
    return this.#tree.slice(0, this.#size);
  }

  branchAt(node: number): Branch {
    const { nodes } = this.#binary;
    const [first, count] = [nodes[node * 2]!, nodes[node * 2 + 1]!];
    return count === 0
      ? { node, child: first, from: 0, to: 0 }
      : { node, child: 0, from: first, to: first + count };
  }

  /** Returns up to four children: splits the branch, then repeatedly its largest child (Dammertz et al. 2008). */
  branchesOf(branch: Branch): Branch[] {
    const branches = this.#split(branch);
    while (branches.length > 1 && branches.length < WIDTH) {
      const inner = branches.filter(isInner);
      if (inner.length === 0) {
        break;
      }
      const largest = inner.reduce((a, b) => (this.#area(b) > this.#area(a) ? b : a));
      branches.splice(branches.indexOf(largest), 1, ...this.#split(largest));
    }
    return branches;
  }

  writeNode(at: number, branches: readonly Branch[]): void {
    const { bounds } = this.#binary;
    for (const [lane, branch] of branches.entries()) {
      const box = branch.node * 6;
      for (let k = 0; k < 3; k++) {
        this.#tree[at + k * 8 + lane] = bounds[box + k]!;
        this.#tree[at + k * 8 + 4 + lane] = bounds[box + 3 + k]!;
      }
      this.#tree[at + REFERENCES + lane] = this.#write(branch) / UNIT;
    }
    this.#tree[at + MASK] = (1 << branches.length) - 1;
  }

  /** Writes a branch and its subtree. Returns the address in floats, negative for a leaf. */
  #write(branch: Branch): number {
    const at = this.#size;
    if (isInner(branch)) {
      this.#grow(NODE);
      this.writeNode(at, this.branchesOf(branch));
      return at;
    }
    this.#grow(LEAF);
    this.#writeLeaf(at, branch);
    return -at;
  }

  #writeLeaf(at: number, { from, to }: Branch): void {
    const { corners, order } = this.#binary;
    for (let lane = 0; lane < to - from; lane++) {
      const corner = order[from + lane]! * 9;
      for (let k = 0; k < 3; k++) {
        const a = corners[corner + k]!;
        this.#tree[at + k * 4 + lane] = a;
        this.#tree[at + (3 + k) * 4 + lane] = corners[corner + 3 + k]! - a;
        this.#tree[at + (6 + k) * 4 + lane] = corners[corner + 6 + k]! - a;
      }
    }
    this.#tree[at + FIRST] = from;
  }

  #split(branch: Branch): Branch[] {
    const { child, from, to } = branch;
    if (child > 0) {
      return [this.branchAt(child), this.branchAt(child + 1)];
    }
    const middle = from + Math.ceil((to - from) / 2);
    return to - from > WIDTH
      ? [
          { ...branch, to: middle },
          { ...branch, from: middle },
        ]
      : [branch];
  }

  #area({ node }: Branch): number {
    const { bounds } = this.#binary;
    const at = node * 6;
    const [x, y, z] = [0, 1, 2].map((k) => bounds[at + 3 + k]! - bounds[at + k]!) as [number, number, number];
    return x * y + y * z + z * x;
  }

  #grow(floats: number): void {
    this.#size += floats;
    if (this.#size > this.#tree.length) {
      const larger = new Float32Array(this.#size * 2);
      larger.set(this.#tree);
      this.#tree = larger;
    }
  }
}

/** Whether a branch must be split: an inner node, or a leaf with too many triangles. */
function isInner({ child, from, to }: Branch): boolean {
  return child > 0 || to - from > WIDTH;
}
