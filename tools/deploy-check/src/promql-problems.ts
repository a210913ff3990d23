import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { TARGET_LABELS, type MetricCatalogue } from './metric-catalogue.js';

/** The problems of an expression, one line each, and the labels of its result. */
export interface Verdict {
  readonly problems: readonly string[];
  readonly labels: ReadonlySet<string>;
}

interface Reading {
  readonly text: string;
  readonly catalogue: MetricCatalogue;
  readonly problems: string[];
}

type Labels = ReadonlySet<string>;

const NONE: Labels = new Set();

/** Parses a PromQL expression like Prometheus, and compares it with the existing metrics. */
export function examine(expression: string, catalogue: MetricCatalogue): Verdict {
  const reading: Reading = { text: expression, catalogue, problems: [] };
  const top = parser.parse(expression).topNode;
  top.cursor().iterate((node) => {
    if (node.type.isError) reading.problems.push(`is not PromQL at character ${node.from}`);
  });
  if (reading.problems.length > 0) return { problems: reading.problems, labels: NONE };
  return { labels: labelsOf(top.firstChild!, reading), problems: reading.problems };
}

/** The labels of the result of a part of the expression. */
function labelsOf(node: SyntaxNode, reading: Reading): Labels {
  switch (node.name) {
    case 'VectorSelector':
      return selected(node, reading);
    case 'AggregateExpr':
      return aggregated(node, reading);
    case 'BinaryExpr':
      return joined(node, reading);
    case 'FunctionCall':
      return called(node, reading);
    case 'NumberDurationLiteral':
    case 'StringLiteral':
      return NONE;
    case 'MatrixSelector':
    case 'SubqueryExpr':
    case 'ParenExpr':
    case 'UnaryExpr':
    case 'OffsetExpr':
    case 'StepInvariantExpr':
      return labelsOf(expressionsIn(node)[0]!, reading);
    default:
      throw new Error(`cannot judge ${node.name} in: ${reading.text}`);
  }
}

function selected(node: SyntaxNode, reading: Reading): Labels {
  const name = text(node.getChild('Identifier')!, reading);
  const known = reading.catalogue.get(name);
  if (known === undefined) {
    reading.problems.push(`there is no metric ${name}`);
    return TARGET_LABELS;
  }
  for (const matcher of node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []) {
    const label = text(matcher.getChild('LabelName')!, reading);
    if (!known.labels.has(label) && !TARGET_LABELS.has(label)) {
      reading.problems.push(`${name} has no label ${label}`);
      continue;
    }
    const wanted = JSON.parse(text(matcher.getChild('StringLiteral')!, reading)) as string;
    const seen = known.values.get(label);
    // Only Grafana knows the values of its variables.
    if (seen === undefined || wanted.includes('$')) continue;
    for (const value of wanted.split('|'))
      if (!seen.has(value)) reading.problems.push(`${label} of ${name} is never ${value}`);
  }
  return new Set([...known.labels, ...TARGET_LABELS]);
}

function aggregated(node: SyntaxNode, reading: Reading): Labels {
  const inner = labelsOf(expressionsIn(node.getChild('FunctionCallBody')!).at(-1)!, reading);
  const modifier = node.getChild('AggregateModifier');
  if (modifier === null) return NONE;
  if (modifier.getChild('By') === null) throw new Error(`write "by", not "without", in: ${reading.text}`);
  return listed(modifier, inner, reading);
}

function joined(node: SyntaxNode, reading: Reading): Labels {
  const [left, right] = expressionsIn(node).map((side) => labelsOf(side, reading)) as [Labels, Labels];
  const on = node.getChild('MatchingModifierClause');
  if (on !== null) for (const side of [left, right]) listed(on, side, reading);
  return left.size === 0 ? right : left;
}

function called(node: SyntaxNode, reading: Reading): Labels {
  const name = text(node.getChild('FunctionIdentifier')!, reading);
  const results = expressionsIn(node.getChild('FunctionCallBody')!).map((part) => labelsOf(part, reading));
  if (name === 'absent' || name === 'vector') return NONE;
  const labels = results.at(-1) ?? NONE;
  if (name !== 'histogram_quantile') return labels;
  if (!labels.has('le')) reading.problems.push('histogram_quantile needs the label le');
  return new Set([...labels].filter((label) => label !== 'le'));
}

/** The labels in a list such as `by (…)`. Reports each that does not exist. */
function listed(clause: SyntaxNode, there: Labels, reading: Reading): Labels {
  const names = clause.getChildren('GroupingLabels').flatMap((list) => list.getChildren('LabelName'));
  const labels = new Set(names.map((name) => text(name, reading)));
  for (const label of labels)
    if (!there.has(label)) reading.problems.push(`there is no label ${label} to group or to match by`);
  return labels;
}

/** A range in brackets, a `DurationExpr`, is none. */
const OPERAND = /(?:(?<!Duration)Expr|Selector|Call|NumberDurationLiteral|StringLiteral)$/;

function expressionsIn(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (OPERAND.test(child.name)) found.push(child);
  return found;
}

function text(node: SyntaxNode, reading: Reading): string {
  return reading.text.slice(node.from, node.to);
}
