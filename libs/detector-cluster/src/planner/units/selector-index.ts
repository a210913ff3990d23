interface Node {
  id: number;
  next: Map<string, Node>;
}

/** Assigns equal numbers to equal selectors without building a string for each; 0 means no selector. */
export class SelectorIndex {
  private readonly root: Node = { id: 0, next: new Map() };
  private count = 0;

  idOf(selector: Readonly<Record<string, string>> | undefined): number {
    if (selector === undefined) return 0;
    const names = Object.keys(selector);
    if (names.length > 1) names.sort();
    let node = this.root;
    for (const name of names) node = this.step(this.step(node, name), selector[name]!);
    return node.id;
  }

  private step(node: Node, word: string): Node {
    let next = node.next.get(word);
    if (next === undefined) {
      this.count += 1;
      next = { id: this.count, next: new Map() };
      node.next.set(word, next);
    }
    return next;
  }
}
