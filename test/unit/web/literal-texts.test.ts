import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { projectRoot } from '../../support/start-gateway.ts';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Attributes, and properties of our own components, that users read or hear. */
const readable =
  /^(?:title|label|placeholder|alt|what|whatLoads|caption|empty|status|submit|heading|hint|aria-(?:label|description|roledescription))$/;
/** Expressions that JSX shows or passes on unchanged. */
const passing = new Set(['JSXExpressionContainer', 'ConditionalExpression', 'LogicalExpression']);
/** Names, commands, headers and media queries are the same in every language. */
const withoutNames = (text: string) =>
  text.replace(
    /Postern|Samsung Internet|username webauthn|Authorization: Bearer|(?:script\/)?postern doctor(?: --url)?|config\.yml|events\.database|https?:\S+|^not all$|^\(prefers-[\w-]+: [\w-]+\)$/g,
    '',
  );
const hasWord = (text: string) => /\p{L}/u.test(withoutNames(text));
const hasWords = (text: string) => /\p{L}+[,.:]? \p{L}+/u.test(withoutNames(text));

/** @returns the texts in a file that users would read */
function literalTexts(name: string, source: string): readonly string[] {
  const found: string[] = [];
  // `shown`: whether a literal here is read as written.
  const visit = (node: Node, shown: boolean): void => {
    if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) return;
    if (isOwnError(node) || isCode(node)) return;
    const text = textOf(node);
    if (text !== undefined && (shown ? hasWord(text) : hasWords(text))) found.push(text.trim());
    if (node.type === 'JSXAttribute') {
      const attribute = (node['name'] as Node)['name'];
      if (typeof attribute !== 'string' || /class$/i.test(attribute)) return;
      if (node['value'] !== null) visit(node['value'] as Node, readable.test(attribute));
      return;
    }
    for (const [key, value] of Object.entries(node)) {
      const isShown =
        node.type === 'JSXElement' ||
        node.type === 'JSXFragment' ||
        (shown && passing.has(node.type) && key !== 'test') ||
        (shown && node.type === 'TemplateLiteral' && key === 'quasis');
      for (const child of [value].flat()) if (isNode(child)) visit(child, isShown);
    }
  };
  visit(parseSync(name, source).program as unknown as Node, false);
  return found;
}

/** Names of keys and files are not translated. */
function isCode(node: Node): boolean {
  if (node.type !== 'JSXElement') return false;
  return ((node['openingElement'] as Node)['name'] as Node)['name'] === 'code';
}

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return node['value'] as string;
  if (node.type === 'TemplateElement') return (node['value'] as { readonly raw: string }).raw;
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;
}

/** Errors for programming mistakes are read in the console. */
function isOwnError(node: Node): boolean {
  return node.type === 'NewExpression' && (node['callee'] as Node)['name'] === 'Error';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

const web = join(projectRoot, 'src', 'web');
const files = globSync('**/*.{ts,tsx}', { cwd: web }).sort();

test.each(files)('the texts of %s are in src/web/locales', (file) => {
  expect(literalTexts(file, readFileSync(join(web, file), 'utf8'))).toEqual([]);
});

test.each<[source: string, texts: readonly string[]]>([
  ['<p>Hello</p>', ['Hello']],
  ['<p>{shown ? "Hello" : text.a}</p>', ['Hello']],
  ['<p>{shown && `of ${name}`}</p>', ['of']],
  ['<input placeholder="Hello" />', ['Hello']],
  ['<input aria-label={busy ? "Wait" : text.a} />', ['Wait']],
  ['<Loading what="roles" />', ['roles']],
  ['usePageTitle("Log in")', ['Log in']],
  ['const titles = { a: "Go on" }', ['Go on']],
  ['<p>{text.a} · {names.join(", ")}</p>', []],
  ['<p class="notice failure" id="main">{kind === "failed" ? text.a : text.b}</p>', []],
  ['<strong>Postern</strong>', []],
  ['<code>config.yml</code>', []],
  ['throw new Error("no profile here")', []],
  ['import x from "./a b.ts"; addEventListener("keydown", (x as "a b"))', []],
])('%s: %j', (source, texts) => {
  expect(literalTexts('a.tsx', source)).toEqual(texts);
});
