import { Visitor, parseSync, type ESTree } from 'vite';

/** One small change of a source file, of a kind that people make by mistake. */
export interface Mutation {
  /** From where to where the text is replaced. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly line: number;
  /** The line as it is. */
  readonly was: string;
  /** What stands in place of the line, and of the lines into which the replaced text continues. */
  readonly becomes: string;
}

const otherOperators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};

const otherMethods: ReadonlyMap<string, string> = new Map([
  ['max', 'min'],
  ['min', 'max'],
  ['ceil', 'floor'],
  ['floor', 'ceil'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);

/** Without them, what they are called on has the same type. */
const changingMethods: ReadonlySet<string> = new Set([
  'filter',
  'toLowerCase',
  'trim',
  'toReversed',
  'toSorted',
]);

/** What can stand in any place without parentheses. */
const closed: ReadonlySet<string> = new Set([
  'Identifier',
  'Literal',
  'MemberExpression',
  'CallExpression',
  'TemplateLiteral',
  'ArrayExpression',
]);

/** What of these is returned is changed by other mutations, or any test at all would notice. */
const notReplaced: ReadonlySet<string> = new Set([
  'ObjectExpression',
  'Literal',
  'Identifier',
  'BinaryExpression',
  'LogicalExpression',
  'UnaryExpression',
  'ConditionalExpression',
  'BlockStatement',
]);

/**
 * Reads a source file. What the types or a restart of the tests would notice by itself is left out: optional chaining, required
 * properties, and numbers above nine, which are nearly always a time or a size. Orders are left out too: they decide nothing.
 * @param file its name, whose extension gives the language
 * @returns every mutation, in the order of the text
 */
export function mutationsOf(file: string, source: string): readonly Mutation[] {
  const { program, errors } = parseSync(file, source, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found = new Map<string, Mutation>();
  /** A value in the types is no value. */
  const inTypes = new Set<number>();
  const comparisons: Array<Pick<Mutation, 'start' | 'end'>> = [];

  const replace = (start: number, end: number, replacement: string) => {
    if (source.slice(start, end) === replacement) return;
    found.set(`${start} ${end} ${replacement}`, mutationAt(source, start, end, replacement));
  };
  const put = (node: ESTree.Node, replacement: string) => replace(node.start, node.end, replacement);
  const putPart = (node: ESTree.Node, part: ESTree.Node) => {
    const text = source.slice(part.start, part.end);
    put(node, closed.has(part.type) ? text : `(${text})`);
  };
  const changeList = ({ elements }: ESTree.ArrayExpression) => {
    for (const element of elements) if (element?.type === 'SpreadElement') put(element, '...[]');
    if (!elements.every(isLiteral)) return;
    for (const [i, element] of elements.entries()) {
      const next = elements[i + 1];
      const before = elements[i - 1];
      if (element === null) continue;
      if (next) replace(element.start, next.start, '');
      else replace(before?.end ?? element.start, element.end, '');
    }
  };

  new Visitor({
    TSLiteralType: ({ literal }) => inTypes.add(literal.start),
    BinaryExpression: ({ left, operator, right }) => {
      const isText = [left, right].some(
        ({ type, start }) => type === 'TemplateLiteral' || source[start] === "'",
      );
      if (operator === '+' && isText) return;
      const at = source.indexOf(operator, left.end);
      for (const other of otherOperators[operator] ?? []) replace(at, at + operator.length, other);
    },
    LogicalExpression: (node) => {
      if (node.operator !== '??') putPart(node, node.left);
      putPart(node, node.right);
    },
    UnaryExpression: (node) => {
      if (node.operator === '!') putPart(node, node.argument);
    },
    ConditionalExpression: (node) => {
      putPart(node, node.consequent);
      putPart(node, node.alternate);
    },
    IfStatement: ({ test }) => {
      put(test, 'true');
      put(test, 'false');
    },
    WhileStatement: ({ test }) => put(test, 'false'),
    ForStatement: ({ test }) => {
      if (test !== null) put(test, 'false');
    },
    ReturnStatement: ({ argument }) => {
      if (argument !== null && !notReplaced.has(argument.type)) put(argument, 'undefined');
    },
    ArrowFunctionExpression: ({ body }) => {
      if (!notReplaced.has(body.type))
        put(body, source[body.start - 1] === '(' ? 'undefined' : '(undefined)');
    },
    ExpressionStatement: (node) => put(node, ';'),
    ThrowStatement: (node) => put(node, ';'),
    ArrayExpression: changeList,
    ObjectExpression: ({ properties }) => {
      for (const property of properties) if (property.type === 'SpreadElement') put(property, '...{}');
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { property, object } = callee;
      if (property.name === 'toSorted') comparisons.push({ start: property.end, end: node.end });
      const other = otherMethods.get(property.name);
      if (other !== undefined) put(property, other);
      if (changingMethods.has(property.name)) replace(object.end, node.end, '');
    },
    Literal: (node) => {
      if (inTypes.has(node.start)) return;
      const { value } = node;
      if (typeof value === 'boolean') put(node, String(!value));
      if (typeof value === 'number' && Number.isInteger(value) && value < 10) put(node, String(value + 1));
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      if (pattern.startsWith('^')) put(node, `/${pattern.slice(1)}/${flags}`);
      if (pattern.endsWith('$')) put(node, `/${pattern.slice(0, -1)}/${flags}`);
    },
  }).visit(program);

  const isCompared = ({ start, end }: Mutation) =>
    comparisons.some((comparison) => comparison.start <= start && end <= comparison.end);
  return [...found.values()]
    .filter((mutation) => !isCompared(mutation))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** @returns the source with a mutation in it */
export function mutate(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

function mutationAt(source: string, start: number, end: number, replacement: string): Mutation {
  const begin = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = (from: number) => {
    const at = source.indexOf('\n', from);
    return at === -1 ? source.length : at;
  };
  return {
    start,
    end,
    replacement,
    line: source.slice(0, start).split('\n').length,
    was: oneLine(source.slice(begin, lineEnd(start))),
    becomes: oneLine(source.slice(begin, start) + replacement + source.slice(end, lineEnd(end))),
  };
}

function isLiteral(node: ESTree.Node | null): boolean {
  return node?.type === 'Literal' || (node?.type === 'UnaryExpression' && node.argument.type === 'Literal');
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
