import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isScalar, stringify, type Document, type YAMLMap } from 'yaml';
import {
  createConfigurationFile,
  mapAt,
  sectionAt,
  type CheckConfiguration,
} from '../../config/configuration-file.ts';
import type { Configuration } from '../../config/configuration.ts';
import { namesVariable, withKeptSecrets, withoutSecrets } from '../../config/kept-secrets.ts';
import { notifications } from '../../config/notifications-section.ts';
import type { AlertTarget } from '../../config/resolve-notifications.ts';
import { parseYaml } from '../../config/yaml.ts';
import { AppError } from '../../errors.ts';
import type { Change, Permit } from '../../store/permit.ts';

interface Section {
  readonly path: readonly [...parents: string[], key: string];
  /** The keys of a section that is a map; recorders may have others in it, which stay. */
  readonly keys?: readonly string[];
}

/** Parts of config.yml that a page may write. */
const sections = {
  notifications: { path: ['notifications'], keys: Object.keys(notifications) },
  'audit.viewing': { path: ['audit', 'viewing'] },
  timezone: { path: ['timezone'] },
  public_url: { path: ['public_url'] },
  'auth.second_factor': { path: ['auth', 'second_factor'], keys: ['required_for'] },
} as const satisfies Record<string, Section>;

export type SettingsSection = keyof typeof sections;

export const settingsSections = Object.keys(sections) as SettingsSection[];

export interface SettingsFile {
  /** Whether config.yml can be written; with a store that several gates share, it can't. */
  isWritable(): boolean;
  /** @returns the section as config.yml has it, without secrets; null if it has none */
  read(section: SettingsSection): unknown;
  /**
   * Writes a section and applies it. Comments, and keys that aren't ours, stay.
   * @param value null: the section is deleted, so that the default applies
   * @throws AppError `configuration_read_only` with the `lines` to paste, `secret_missing`, `placeholder_refused`; ConfigurationError; and
   * what the permit throws
   */
  write(section: SettingsSection, value: unknown, permit: Permit): Promise<void>;
  /** @returns an alert target as the gate would use it once it is in config.yml. @throws as `write`, when it could not be there */
  targetOf(value: unknown): Promise<AlertTarget>;
}

/** Where and how config.yml is written. */
interface Writing {
  readonly change: Change;
  readonly directory: string;
  readonly check: CheckConfiguration;
  /** The file that is in effect; `undefined` if there is none. */
  readonly text: () => string | undefined;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Pick<Configuration, 'notifications'>;
}

export function settingsFileOf({ store }: Pick<Configuration, 'store'>, writing: Writing): SettingsFile {
  const { change, directory, check, text, readConfiguration } = writing;
  const file = createConfigurationFile(directory, check);
  const isWritable = () => store.url === undefined && canWrite(join(directory, 'config.yml'));
  const inEffect = () => parseYaml(text() ?? '');
  return {
    isWritable,
    read: (name) => shownOf(name, writtenIn(name, inEffect())),
    write: async (name, value, permit) => {
      refusePlaceholders(name, value, inEffect());
      const lines = linesOf(name, value);
      if (!isWritable()) throw new AppError('configuration_read_only', { also: { lines } });
      try {
        await change(permit, (_, { requireProof }) => {
          requireProof();
          return file.change('settings changed', (document) => setIn(document, name, value));
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'configuration_read_only') throw error;
        throw new AppError('configuration_read_only', { cause: error.cause, also: { lines } });
      }
    },
    targetOf: async (value) => {
      const wanted = { targets: [value] };
      const document = inEffect();
      refusePlaceholders('notifications', wanted, document);
      const whole = withSecretsOf('notifications', wanted, document);
      const [target] = readConfiguration(stringify({ notifications: whole })).notifications.targets;
      if (target === undefined) throw new Error('a configuration without its target');
      return target;
    },
  };
}

function canWrite(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK);
    accessSync(file, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** @returns the section's value as JSON; null if it isn't there */
function writtenIn(name: SettingsSection, document: Document): unknown {
  const { path, keys }: Section = sections[name];
  const value: unknown = mapAt(document, path.slice(0, -1))?.toJS(document)?.[path.at(-1) ?? ''] ?? null;
  if (keys === undefined || typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([key]) => keys.includes(key));
  return own.length === 0 ? null : Object.fromEntries(own);
}

function shownOf(name: SettingsSection, value: unknown): unknown {
  const targets = targetsIn(name, value);
  return targets === undefined
    ? value
    : { ...(value as object), targets: targets.filter(isTarget).map(withoutSecrets) };
}

type Target = Readonly<Record<string, unknown>>;

function targetsIn(name: SettingsSection, value: unknown): readonly unknown[] | undefined {
  if (name !== 'notifications' || typeof value !== 'object' || value === null) return undefined;
  const { targets } = value as { readonly targets?: unknown };
  return Array.isArray(targets) ? targets : undefined;
}

function isTarget(value: unknown): value is Target {
  return typeof value === 'object' && value !== null;
}

function setIn(document: Document, name: SettingsSection, value: unknown): void {
  const { path, keys }: Section = sections[name];
  const parents = path.slice(0, -1);
  const key = path.at(-1) ?? '';
  const whole = withSecretsOf(name, value, document);
  if (keys === undefined || typeof whole !== 'object' || whole === null || Array.isArray(whole)) {
    const isGone = whole === null && keys === undefined;
    if (isGone) mapAt(document, parents)?.delete(key);
    else if (whole === null) for (const own of keys ?? []) mapAt(document, path)?.delete(own);
    else setKey(sectionAt(document, parents), key, whole, document);
    return;
  }
  const section = sectionAt(document, path);
  for (const own of keys) if (!(own in whole)) section.delete(own);
  for (const [own, written] of Object.entries(whole)) setKey(section, own, written, document);
}

/** @throws AppError `placeholder_refused`, but for a target that is written already */
function refusePlaceholders(name: SettingsSection, value: unknown, document: Document): void {
  const known = targetsIn(name, shownOf(name, writtenIn(name, document))) ?? [];
  const targets = targetsIn(name, value);
  const changed =
    targets === undefined
      ? value
      : {
          ...(value as object),
          targets: targets.filter((target) => !known.some((other) => isDeepStrictEqual(other, target))),
        };
  if (namesVariable(changed)) throw new AppError('placeholder_refused');
}

/** A comment beside a value stays beside the new one. */
function setKey(section: YAMLMap, key: string, value: unknown, document: Document): void {
  const node: unknown = section.get(key, true);
  if (isScalar(node) && typeof value !== 'object') node.value = value;
  else section.set(key, document.createNode(value));
}

/** @throws AppError `secret_missing` if a secret is to be kept, and there is none for that address */
function withSecretsOf(name: SettingsSection, value: unknown, document: Document): unknown {
  const targets = targetsIn(name, value);
  if (targets === undefined) return value;
  const before = (targetsIn(name, writtenIn(name, document)) ?? []).filter(isTarget);
  const whole = targets.map((target) => {
    if (!isTarget(target)) return target;
    const kept = withKeptSecrets(target, before);
    if (kept === undefined) throw new AppError('secret_missing');
    return kept;
  });
  return { ...(value as object), targets: whole };
}

/** @returns the lines of YAML that an operator pastes into config.yml */
function linesOf(name: SettingsSection, value: unknown): string {
  let nested: unknown = value;
  for (const key of sections[name].path.toReversed()) nested = { [key]: nested };
  return stringify(nested, { lineWidth: 0 });
}
