import ts from 'typescript';

/**
 * The options that a program declares, with their dashes: the keys of `options` for `parseArgs`, and the arguments of
 * commander's `option` or of a function named `flag`.
 */
export function flagsOf(text: string): string[] {
  const flags: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) flags.push(...flagsOfCall(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('program.ts', text, ts.ScriptTarget.Latest));
  return flags;
}

function flagsOfCall({ expression, arguments: args }: ts.CallExpression): string[] {
  const [first] = args;
  const name = ts.isPropertyAccessExpression(expression)
    ? expression.name.text
    : ts.isIdentifier(expression)
      ? expression.text
      : '';
  if ((name === 'flag' || name === 'option') && first && ts.isStringLiteral(first))
    return Array.from(first.text.matchAll(/--?[a-z][a-z-]*/g), ([flag]) => flag);
  if (name !== 'parseArgs' || !first || !ts.isObjectLiteralExpression(first)) return [];
  const options = valueOf(first, 'options');
  return options && ts.isObjectLiteralExpression(options) ? options.properties.flatMap(flagsOfOption) : [];
}

function flagsOfOption(option: ts.ObjectLiteralElementLike): string[] {
  if (!ts.isPropertyAssignment(option) || !isNamed(option.name)) return [];
  const short = ts.isObjectLiteralExpression(option.initializer)
    ? valueOf(option.initializer, 'short')
    : undefined;
  return [`--${option.name.text}`, ...(short && ts.isStringLiteral(short) ? [`-${short.text}`] : [])];
}

function valueOf(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const property = object.properties.find(
    (candidate) =>
      ts.isPropertyAssignment(candidate) && isNamed(candidate.name) && candidate.name.text === name,
  );
  return property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
}

function isNamed(name: ts.PropertyName): name is ts.Identifier | ts.StringLiteral {
  return ts.isIdentifier(name) || ts.isStringLiteral(name);
}
