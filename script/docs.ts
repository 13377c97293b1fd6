import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { keysOpenedOnce } from '../src/config/changes.ts';
import { protections } from '../src/config/protections.ts';
import { schemaText } from '../src/config/json-schema.ts';
import { configurationSchema } from '../src/config/schema.ts';
import { answerAuthRequest } from '../src/http/fronts/auth-request.ts';
import { refusalAnswer } from '../src/http/fronts/refusal.ts';
import { staticPage, staticPages } from '../src/http/fronts/refusal-page.ts';
import { languages } from '../src/language/language.ts';
import type { Reason } from '../src/policy/reasons.ts';
import { apiPage } from './api-page.ts';
import { code } from './markdown-table.ts';
import { rulesPage } from './rules-page.ts';
import { ownPathsOf } from '../src/api/own-paths.ts';
import { lockedRules, recorderRules } from '../src/policy/recorder/access-rules.ts';
import { openapiDocument, operationsOf } from '../src/api/openapi/openapi-document.ts';
import { loadFeatures } from '../src/features/index.ts';
import { everyFeature } from '../src/policy/features.ts';
import { texts } from '../src/language/texts.ts';
import { outcomes } from './reason-outcomes.ts';

const every = await loadFeatures(everyFeature);
const operations = operationsOf(every);
const { rules: ownRules } = ownPathsOf(every);

/** One key of config.yml, as the schema describes it. */
export interface ConfigurationKey {
  /** With dots: `proxy.header_map.user`. */
  readonly path: string;
  readonly type: string;
  /** What may stand there, in the words of the error message. */
  readonly allowed: string;
  /** Undefined: none, or it is in the meaning. */
  readonly fallback: unknown;
  readonly meaning: string;
}

/** The parts of valibot's schemas that the pages are made from. */
interface Node {
  readonly type: string;
  readonly kind?: string;
  readonly message?: unknown;
  readonly default?: unknown;
  readonly wrapped?: Node;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly options?: readonly Node[];
  readonly item?: Node;
  readonly key?: Node;
  readonly value?: Node;
  readonly pipe?: readonly Node[];
}

/** Environment variables, in the order of the page. */
export const environmentVariables: Readonly<
  Record<string, { readonly fallback: string; readonly meaning: string }>
> = {
  SERVICE_CONFIG_DIR: {
    fallback: '`config`',
    meaning:
      'Directory of `config.yml`, the accounts (`postern.db`), `.jwt_secret` and the self-signed certificate. A relative path begins at the program.',
  },
  SERVICE_JWT_SECRET: {
    fallback: 'none',
    meaning:
      'The secret that signs session tokens, of at least 64 characters: here, in the next two places, or in `.jwt_secret` of the configuration directory, where Postern makes one. A changed secret ends every session and signs every screen out.',
  },
  CREDENTIALS_DIRECTORY: {
    fallback: '`/run/secrets/`',
    meaning: 'Directory of secret files, each named like its variable.',
  },
  SERVICE_OPTIONS_FILE: {
    fallback: '`/data/options.json`',
    meaning: 'Options of an add-on, a JSON object; `jwt_secret` in it is the third place.',
  },
  SERVICE_TRUSTED_HEADERS_FILE: {
    fallback: "`/usr/local/nginx/conf/proxy_trusted_headers.conf` if it exists, else the project's own",
    meaning:
      'The headers that an upstream proxy may send: one line `proxy_set_header Name $http_name;` for each.',
  },
  TZ: {
    fallback: 'the zone of the system',
    meaning: 'The time zone of schedules, if `timezone` is not set: an IANA name. Empty counts as not set.',
  },
  LOG_LEVEL: {
    fallback: '`info`',
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  },
};

/** @returns every key below a schema, sections before what is in them. */
export function configurationKeys(schema: v.GenericSchema, prefix = ''): ConfigurationKey[] {
  const keys: ConfigurationKey[] = [];
  for (const [name, node] of Object.entries(entriesOf(schema as unknown as Node))) {
    const path = prefix + name;
    const entry = node as unknown as v.GenericSchema;
    const { type, allowed } = allowedBy(node);
    const fallback = type === 'section' ? undefined : node.default;
    keys.push({ path, type, allowed, fallback, meaning: v.getDescription(entry) ?? '' });
    keys.push(...configurationKeys(entry, `${path}.`));
  }
  return keys;
}

/** @returns the text of docs/configuration.md. */
export function configurationPage(schema: v.GenericSchema): string {
  const keys = configurationKeys(schema);
  const parts = [notice, configurationIntroduction];
  const sections = keys.filter(({ path, type }) => type === 'section' && !path.includes('.'));
  for (const { path, meaning } of sections) {
    parts.push(`## ${path}`, linked(meaning), keyList(keys.filter((key) => key.path.startsWith(`${path}.`))));
  }
  const plain = keys.filter(({ path, type }) => type !== 'section' && !path.includes('.'));
  parts.push('## Other keys', keyList(plain), weakValues());
  parts.push(
    '## Environment',
    Object.entries(environmentVariables)
      .map(([name, { fallback, meaning }]) => `- ${code(name)} (${fallback})\\\n  ${meaning}`)
      .join('\n'),
    '`SERVICE_OIDC_SECRET` is the client secret of `auth.oidc`. `SERVICE_STORE_KEY` (at least 32 characters; by default the JWT secret) encrypts secrets in the store. `SERVICE_ADMIN_PASSWORD` (at least 12 characters; by default the log shows a generated one) is the password of the first admin, and is ignored once there is an admin. Each is an environment variable or a secret file.',
    'In `store.url`, the URL of a mail server and the secrets of `config.yml`, Postern replaces `{SERVICE_NAME}` and `{FRIGATE_NAME}` by the environment variable or the secret file of that name, `{FRIGATE_NAME}` first by `environment_vars` of the file. Other braces are refused.',
  );
  return `${parts.join('\n\n')}\n`;
}

interface ReasonTexts {
  readonly meanings: Readonly<Record<string, string>>;
  readonly advices: Readonly<Record<string, string>>;
}

/** @returns the text of docs/reasons.md. */
export function reasonsPage({ meanings, advices }: ReasonTexts): string {
  const lines = Object.entries(meanings).map(([reason, meaning]) => {
    const whatToDo = advices[reason];
    if (whatToDo === undefined) throw new Error(`${reason} has no advice`);
    const line = `- ${code(reason)} (${statusOf(reason as Reason)}): ${meaning}`;
    return whatToDo === 'Nothing.' ? line : `${line}\\\n  ${linked(whatToDo)}`;
  });
  return `${[notice, reasonsIntroduction, lines.join('\n')].join('\n\n')}\n`;
}

/** The generated pages by their path below the root. */
export function generatedPages(): Readonly<Record<string, string>> {
  return {
    'docs/configuration.md': configurationPage(configurationSchema),
    'docs/reasons.md': reasonsPage(texts.en.reasons),
    'docs/api.md': `${notice}\n\n${apiPage(operations)}`,
    'docs/rules.md': `${notice}\n\n${rulesPage({ own: ownRules, locked: lockedRules, recorder: recorderRules }, operations)}`,
    'docs/config.schema.json': schemaText(),
    'docs/openapi.json': `${JSON.stringify(openapiDocument(operations), null, 2)}\n`,
    ...nginxPages(),
  };
}

/** The values that are valid and switch a protection off. */
function weakValues(): string {
  const rows = Object.entries(protections).map(([key, { values }]) => `- ${code(key)}: ${values}`);
  return `## Values that switch a protection off\n\nThese are valid, and a warning in the log, at Home, and of \`config check\` and \`doctor\`:\n\n${rows.join('\n')}`;
}

/** What nginx serves when the gate may be away. */
function nginxPages(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    staticPages.flatMap((page) =>
      languages.map((language) => [
        `nginx/postern/errors/${page[0]}${language === 'en' ? '' : `.${language}`}.html`,
        staticPage(page, language),
      ]),
    ),
  );
}

const notice = '<!-- Generated by script/docs. Change the source and run it again. -->';

const configurationIntroduction = `# Configuration

Postern reads \`config.yml\` in the directory \`SERVICE_CONFIG_DIR\`: at its start, within two seconds of a change, and at once after
SIGHUP. Check a file with \`script/postern config check\`. Changes of these keys wait for a restart:
${keysOpenedOnce.map(code).join(', ')}.

- Pages write into it too: Settings > General (\`timezone\`, \`public_url\`, \`audit.viewing\`, a second factor for admins), Alerts, Appearance, and
  the pages of roles and of the recorder. Comments stay. Where the file can't be written, or several gates share the store, the page shows the
  lines to add.
- If something is wrong, Postern reports all problems together, without the values, which may be secrets. A start then ends with status
  78; a running process keeps its previous configuration, and Home shows the failure.
- The file may have 4 MB. A larger one is refused.
- A file that was cut off is refused: one that is the beginning of the text that Postern applied last, or empty, or missing. A start refuses it
  only if it ends within a line or lost a value of \`auth\`, \`proxy\`, \`access\` or \`store\`; otherwise it warns. If the file is as you want it,
  run \`script/postern config accept\`. Postern compares with \`config.yml.applied\`, which it keeps beside the file; without it, a start
  takes every valid file.
- A running process also refuses a file that lacks \`auth\` or \`proxy\` while the current configuration has them. Write \`auth: {}\` where the
  section is empty on purpose.
- If a role loses \`may\`, \`from\`, \`until\`, \`hours\` or \`history\`, or a user or group is no longer refused by \`none\`, the log, Home and
  \`config check\` name the role, user or group.
- Values that [switch a protection off](#values-that-switch-a-protection-off) are warnings in the log, at Home, and of \`config check\` and
  \`doctor\`.
- Users whose role is not defined count as viewers. The log, Home and \`config check\` name them. Access of one person is in the database, and no
  role of this file changes it.
- An unknown key in a section of this page is a problem, so that a typo can't open Postern to others.
- Other top-level sections belong to Frigate and are ignored, so that you can use Frigate's own file, unless their name resembles one of
  this page, such as \`acess\`, or is a path such as \`auth.roles\`. Frigate's own \`notifications\`, merge keys (\`<<: *live\`), anchors and
  \`environment_vars\` are read as Frigate reads them.
- A key without a value (null) has its default, unless null has a meaning of its own. Secrets, \`auth.oidc.allowed_emails\`,
  \`auth.oidc.role_map\` and \`auth.second_factor.required_for\` are refused without one, since their default opens more. Without the file,
  all keys have their defaults, and the events are the bundled sample.

Editors complete and check the file by a JSON Schema, with the YAML extension of VS Code for one: write it beside your file with
\`script/postern config schema > config.schema.json\`, and begin the file with this line. When \`config check\` says that the schema is of
another version, as after an upgrade, write it again. The examples have the line too. The schema accepts more than Postern, which also
compares values with each other.

\`\`\`yaml
# yaml-language-server: $schema=config.schema.json
\`\`\`

Behind each key is what it takes and its default.`;

const reasonsIntroduction = `# Reasons

Every decision has a reason. The log has it for each refusal, at level \`info\`; allowed requests are at level \`debug\`. Clients never see it;
a front reads it in \`x-postern-reason\`. A 403 of the events app has no reason: an event or camera in the request is not granted.

[troubleshooting.md](troubleshooting.md) leads from a symptom to its reason. The first of two statuses is for a front that asks on
\`networking.forward_auth\`, the second for a client; with a dash, it cannot occur there.`;

function statusOf(reason: Reason): string {
  const { outcome, frontOnly, gateOnly } = outcomes[reason];
  if (outcome === 'allow') return 'passed on';
  const refused = { outcome, reason, identity: undefined };
  const client = refusalAnswer(refused, { loginUrl: undefined, reader: undefined, zone: 'UTC' }, '').status;
  const front = answerAuthRequest({ id: '', decision: refused }, undefined).status;
  if (gateOnly === true) return `—/${client}`;
  if (frontOnly === true) return `${front}/—`;
  return front === client ? String(front) : `${front}/${client}`;
}

function keyList(keys: readonly ConfigurationKey[]): string {
  return keys
    .map(({ path, type, allowed, fallback, meaning }) => {
      const shown = fallback === undefined || fallback === '' ? '' : ` (${code(plainText(fallback))})`;
      return `- ${code(path)}: ${valueOf(type, allowed)}${shown}\\\n  ${linked(meaning)}`;
    })
    .join('\n');
}

/** What a key takes: the messages of its checks, without what no operator would write, or its type. */
function valueOf(type: string, allowed: string): string {
  const shown = allowed
    .split('; ')
    .map((part) => part.replace(/^text that is not empty(?:: |$)/, ''))
    .filter(
      (part) =>
        part !== '' && part !== 'or null' && !part.includes('__proto__') && !part.startsWith('at least 0 '),
    );
  const namesType = type !== 'map' && type !== 'list' ? shown.length > 0 : /\ba (?:list|map)\b/.test(allowed);
  // The unit stands once: `whole seconds; at least 1`.
  const text = [...(namesType ? [] : [type]), ...shown].join('; ');
  return escapeMarkdown(text.replaceAll(/(?<=^whole (\w+)\b.*; at (?:least|most) \d+) \1\b/g, ''));
}

/** With links to pages of docs/. */
function linked(text: string): string {
  return text.replaceAll(/\bdocs\/([\w-]+\.md)/g, '[$1]($1)');
}

/** A value as it is written in YAML on one line. */
function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function entriesOf(node: Node): Readonly<Record<string, Node>> {
  return node.entries ?? (node.wrapped === undefined ? {} : entriesOf(node.wrapped));
}

/** Type and allowed values of a key, from the messages an operator would read. */
function allowedBy(node: Node): { readonly type: string; readonly allowed: string } {
  if (node.wrapped !== undefined) {
    const { type, allowed } = allowedBy(node.wrapped);
    const takesNull = type !== 'section' && (node.type === 'nullish' || node.type === 'nullable');
    return { type, allowed: takesNull && !allowed.endsWith('; or null') ? `${allowed}; or null` : allowed };
  }
  const type = typeName(node);
  if (type === 'section' || type === 'true or false') return { type, allowed: '' };
  const parts = [...messages(node), ...formsOf('names: ', node, 'key'), ...formsOf('each: ', node, 'item')];
  return { type, allowed: parts.join('; ') };
}

const typeNames: Readonly<Record<string, string>> = {
  strict_object: 'section',
  object: 'section',
  string: 'text',
  literal: 'text',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  record: 'map',
  unknown: 'anything',
};

function typeName(node: Node): string {
  const inside = node.pipe?.find(({ kind, type }) => kind === 'schema' && type !== 'custom');
  if (node.type === 'custom' && inside !== undefined) return typeName(inside);
  if (node.type === 'picklist') return typeName({ type: 'string' });
  if (node.options !== undefined) return node.options.map(typeName).join(' or ');
  const name = typeNames[node.type];
  if (name === undefined) throw new Error(`script/docs.ts has no word for the type ${node.type}`);
  return name;
}

/** Messages of the checks, or of the schema itself when nothing else checks. */
function messages(node: Node): string[] {
  const checks = (node.pipe ?? []).filter(({ kind }) => kind === 'validation');
  const said = checks.map(({ message }) => message).filter((message) => typeof message === 'string');
  if (said.length > 0) return said;
  return typeof node.message === 'string' ? [node.message] : [];
}

/** What the names in a map or the items of a list must look like, where a pattern has it. */
function formsOf(lead: string, node: Node, part: 'key' | 'item'): string[] {
  const [inner] = [node, ...(node.pipe ?? [])].flatMap((step) => step[part] ?? []);
  const patterns = (inner?.pipe ?? []).filter(({ type }) => type === 'regex' || type === 'check');
  return patterns.map(({ message }) => `${lead}${String(message)}`);
}

function escapeMarkdown(text: string): string {
  return text.replace(/[<>*_|]/g, String.raw`\$&`);
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generatedPages())) {
    writeFileSync(join(import.meta.dirname, '..', path), text);
    process.stdout.write(`${path}\n`);
  }
}
