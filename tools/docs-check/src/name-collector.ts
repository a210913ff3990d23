import ts from 'typescript';

/** The names in the sources of the project. */
export interface SourceNames {
  /** Declared names: classes, functions, methods, properties, constants, parameters of options. */
  readonly declared: ReadonlySet<string>;
  /** Members by class, interface, type or constant, including inherited ones. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  /** Texts of string literals, with `*` for each expression in a template. */
  readonly texts: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

/** Collects names file by file. */
export class NameCollector {
  private readonly declared = new Set<string>();
  private readonly texts = new Set<string>();
  private readonly numbers = new Set<number>();
  private readonly own = new Map<string, Set<string>>();
  private readonly parents = new Map<string, Set<string>>();

  add(path: string, text: string): void {
    this.visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), null);
  }

  result(): SourceNames {
    const members = new Map([...this.own.keys()].map((name) => [name, this.inherited(name, new Set())]));
    return { declared: this.declared, members, texts: this.texts, numbers: this.numbers };
  }

  private visit(node: ts.Node, owner: string | null): void {
    if (ts.isStringLiteralLike(node)) this.texts.add(node.text);
    if (ts.isTemplateExpression(node))
      this.texts.add(node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join(''));
    if (ts.isNumericLiteral(node)) this.numbers.add(Number(node.text.replaceAll('_', '')));
    const name = nameOf(node);
    if (name !== null) {
      this.declared.add(name);
      if (owner !== null) this.membersOf(owner).add(name);
    }
    this.noteParents(node);
    const inside = isOwner(node) && name !== null ? name : owner;
    // Declarations inside a function are not members of its class.
    const deeper = ts.isBlock(node) ? null : inside;
    ts.forEachChild(node, (child) => this.visit(child, deeper));
  }

  private noteParents(node: ts.Node): void {
    if (!ts.isClassLike(node) && !ts.isInterfaceDeclaration(node)) return;
    const { name, heritageClauses = [] } = node;
    if (name === undefined) return;
    const parents = this.parents.get(name.text) ?? new Set();
    this.parents.set(name.text, parents);
    for (const { types } of heritageClauses)
      for (const { expression, typeArguments = [] } of types) {
        for (const one of [expression, ...typeArguments]) parents.add(one.getText());
      }
  }

  private membersOf(owner: string): Set<string> {
    const members = this.own.get(owner) ?? new Set();
    this.own.set(owner, members);
    return members;
  }

  private inherited(name: string, seen: Set<string>): Set<string> {
    if (seen.has(name)) return new Set();
    seen.add(name);
    const parents = [...(this.parents.get(name) ?? [])].flatMap((parent) => [
      ...this.inherited(parent, seen),
    ]);
    return new Set([...(this.own.get(name) ?? []), ...parents]);
  }
}

const isOwner = (node: ts.Node): boolean =>
  ts.isClassLike(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isVariableDeclaration(node);

function nameOf(node: ts.Node): string | null {
  const { name } = node as { name?: ts.Node };
  if (name === undefined || !isDeclaration(node)) return null;
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : null;
}

const isDeclaration = (node: ts.Node): boolean =>
  isOwner(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isPropertySignature(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isShorthandPropertyAssignment(node) ||
  ts.isGetAccessor(node) ||
  ts.isEnumMember(node) ||
  ts.isBindingElement(node) ||
  ts.isParameter(node);
