import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { projectRoot } from '../../support/start-gateway.ts';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Names from the top of a language's texts; `*`: one that is only known when it runs. */
export type Path = readonly string[];

/** A text that a source takes, and the names of the values that it fills in at that place. */
export interface Use {
  readonly file: string;
  readonly path: Path;
  /** Undefined: it is taken as it is, or handed on. */
  readonly values: readonly string[] | undefined;
  /** It is shown as it is. */
  readonly isShown: boolean;
}

const fillers: Readonly<Record<string, number>> = { fill: 1, plural: 2, fillCounted: 3 };

/** @returns all texts that the sources take */
export function textUses(): readonly Use[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot }).sort();
  return files.flatMap((file) => usesIn(file, readFileSync(join(projectRoot, file), 'utf8')));
}

/** @returns the texts that a source takes. A name that is declared twice stands for both in all of it. */
export function usesIn(file: string, source: string): readonly Use[] {
  const program = parseSync(file, source).program as unknown as Node;
  // `text` is in one language, `texts` has them by language.
  const known = new Map<string, readonly Path[]>(
    /import \{[^}]*\btext\b/.test(source) ? [['text', [[]]]] : [],
  );
  const hasAll = /import \{[^}]*\btexts\b/.test(source);
  const isOfAllLanguages = (node: Node) => hasAll && node.type === 'Identifier' && node['name'] === 'texts';
  const pathsOf = (node: Node): readonly Path[] => {
    if (node.type === 'Identifier') return known.get(String(node['name'])) ?? [];
    if (node.type === 'ParenthesizedExpression') return pathsOf(node['expression'] as Node);
    if (node.type === 'ConditionalExpression')
      return [...pathsOf(node['consequent'] as Node), ...pathsOf(node['alternate'] as Node)];
    if (node.type !== 'MemberExpression') return [];
    const object = node['object'] as Node;
    if (isOfAllLanguages(object)) return [[]];
    const property = node['property'] as Node;
    const name =
      node['computed'] === true && property.type !== 'Literal'
        ? '*'
        : (property['name'] ?? property['value']);
    return pathsOf(object).map((path) => path.concat(String(name)));
  };
  const uses: Use[] = [];
  const add = (paths: readonly Path[], values?: readonly string[], isShown = false) => {
    for (const path of paths) if (path.length > 0) uses.push({ file, path, values, isShown });
  };
  const declare = (target: Node, paths: readonly Path[]) => {
    if (target.type === 'Identifier') {
      const name = String(target['name']);
      known.set(name, [...(known.get(name) ?? []), ...paths]);
    }
    if (target.type !== 'ObjectPattern') return;
    for (const property of target['properties'] as readonly Node[]) {
      if (property.type === 'RestElement') declare(property['argument'] as Node, paths);
      if (property.type !== 'Property') continue;
      const found = paths.map((path) => [...path, String((property['key'] as Node)['name'])]);
      const value = property['value'] as Node;
      declare((value.type === 'AssignmentPattern' ? value['left'] : value) as Node, found);
    }
  };
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator' || !isNode(node['init'])) return;
    const paths = pathsOf(node['init']);
    if (paths.length > 0) declare(node['id'] as Node, paths);
  });
  visit(program, (node, parent, above) => {
    if (node.type !== 'MemberExpression' && node.type !== 'Identifier') return;
    if (!isTaken(node, parent, above)) return;
    const isShown =
      parent?.type === 'TemplateLiteral' ||
      (parent?.type === 'JSXExpressionContainer' && above?.type !== 'JSXAttribute');
    add(pathsOf(node), undefined, isShown);
  });
  visit(program, (node) => {
    if (node.type !== 'CallExpression') return;
    const at = fillers[String((node['callee'] as Node)['name'])];
    if (at === undefined) return;
    const [first, ...rest] = node['arguments'] as readonly Node[];
    const values = rest[at - 1];
    const names = values?.type === 'ObjectExpression' ? (values['properties'] as readonly Node[]) : [];
    if (first !== undefined)
      add(
        pathsOf(first),
        names.map((property) => String((property['key'] as Node | undefined)?.['name'])),
      );
  });
  return uses;
}

/** Not a mere step on the way to a text, nor a declaration. */
function isTaken(node: Node, parent: Node | undefined, above: Node | undefined): boolean {
  if (parent === undefined) return true;
  if (parent.type === 'MemberExpression')
    return parent['object'] !== node && (parent['computed'] === true || node.type === 'MemberExpression');
  if (parent.type === 'Property') return parent['value'] === node && above?.type !== 'ObjectPattern';
  if (parent.type === 'AssignmentPattern') return parent['right'] === node;
  return parent.type !== 'VariableDeclarator' && !parent.type.startsWith('Import');
}

function visit(
  node: Node,
  see: (node: Node, parent: Node | undefined, above: Node | undefined) => void,
  parent?: Node,
  above?: Node,
): void {
  if (node.type.startsWith('TS') && node.type !== 'TSAsExpression') return;
  see(node, parent, above);
  for (const value of Object.values(node))
    for (const child of [value].flat()) if (isNode(child)) visit(child, see, node, parent);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
