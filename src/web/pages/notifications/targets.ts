import { fieldOf } from '../../ui/forms/form-action.ts';
import type { AlertEvent } from '../../../config/notifications-section.ts';

export const kinds = ['ntfy', 'mail', 'webhook'] as const;
export type Kind = (typeof kinds)[number];

/** An alert target as config.yml has it; a secret is `***`, and so is all of a web address behind its host. */
export interface Target {
  readonly type: Kind;
  readonly url: string;
  readonly token?: string;
  readonly secret?: string;
  readonly from?: string;
  readonly to?: readonly string[];
  readonly private?: boolean;
}

/** The section `notifications`; it may have keys for which there is no field here. */
export interface AlertSettings {
  readonly targets?: readonly Target[];
  readonly events?: readonly AlertEvent[];
}

const keptSecret = '***';

/** @returns where a target leads, for people: its mailboxes, or its address */
export function placeOf({ url, to = [], from = '' }: Target): string {
  const parsed = URL.parse(url);
  // A placeholder of the file may stand for the host.
  if (parsed === null) return url;
  const { hostname, host, protocol } = parsed;
  if (protocol.startsWith('smtp')) return to.length > 0 ? to.join(', ') : from || hostname;
  return host;
}

/** @returns the settings with a target in place of another, at the end, or without it */
export function withTarget(
  settings: AlertSettings,
  before: Target | undefined,
  after: Target | undefined,
): AlertSettings {
  const targets = [...(settings.targets ?? [])];
  const known = before === undefined ? '' : JSON.stringify(before);
  const index = targets.findIndex((target) => JSON.stringify(target) === known);
  if (index === -1) targets.push(...(after === undefined ? [] : [after]));
  else targets.splice(index, 1, ...(after === undefined ? [] : [after]));
  return { ...settings, targets };
}

/** Letters and digits that no one mistakes for others. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

export function randomWord(length: number): string {
  const bytes = crypto.getRandomValues(new Uint32Array(length));
  return [...bytes].map((byte) => letters[byte % letters.length]).join('');
}

/** @returns a topic that no one guesses, and that the house is recognized by */
export function madeUpTopic(house: string): string {
  const name = house
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24);
  return `https://ntfy.sh/${name === '' ? 'postern' : name}-${randomWord(12)}`;
}

/** The parts of a mail server's address. */
export interface MailServer {
  readonly server: string;
  readonly port: string;
  readonly user: string;
  readonly hasPassword: boolean;
}

export function mailServerOf({ url }: Target): MailServer {
  const parsed = URL.parse(url);
  if (parsed === null) return { server: '', port: '465', user: '', hasPassword: false };
  const { hostname, port, username, password, protocol } = parsed;
  return {
    server: hostname,
    port: port === '' ? defaultPort(protocol) : port,
    user: decoded(username),
    hasPassword: password !== '',
  };
}

const defaultPort = (protocol: string) => (protocol === 'smtps:' ? '465' : '587');

/** A name in the file may be a placeholder, which stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @returns the target of the fields. @param before the one that is edited, whose secret stays where none is typed */
export function targetIn(form: FormData, type: Kind, before: Target | undefined): Target {
  const typed = (name: string) => fieldOf(form, name).trim();
  const isPrivate = form.has('private');
  const common = isPrivate ? { private: true } : {};
  if (type === 'mail') {
    const to = typed('to').split(/[\s,;]+/);
    return {
      type,
      url: mailUrl(typed, fieldOf(form, 'password'), before),
      from: typed('from'),
      to: to.filter((mailbox) => mailbox !== ''),
      ...common,
    };
  }
  const address = typed('url');
  const written = type === 'ntfy' ? topicUrl(address) : withScheme(address);
  const url = address === '' && before !== undefined ? before.url : written;
  const secretKey = type === 'ntfy' ? 'token' : 'secret';
  const secret = typed(secretKey);
  const kept = before?.[secretKey] === undefined ? {} : { [secretKey]: keptSecret };
  return { type, url, ...(secret === '' ? kept : { [secretKey]: secret }), ...common };
}

/** Users may type only the topic, or leave out `https://`. */
function topicUrl(typed: string): string {
  return /^[\w-]+$/.test(typed) ? `https://ntfy.sh/${typed}` : withScheme(typed);
}

function withScheme(typed: string): string {
  return /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
}

function mailUrl(typed: (name: string) => string, password: string, before: Target | undefined): string {
  const old = before && mailServerOf(before);
  const server = typed('server').replace(/^smtps?:\/\//i, '');
  const isSame = server === old?.server && typed('port') === old.port && typed('user') === old.user;
  if (isSame && before !== undefined && password === '') return before.url;
  const user = encodeURIComponent(typed('user'));
  const secret = password === '' && old?.hasPassword === true ? keptSecret : encodeURIComponent(password);
  const login = user === '' ? '' : `${user}${secret === '' ? '' : `:${secret}`}@`;
  const scheme = typed('port') === '465' ? 'smtps' : 'smtp';
  return `${scheme}://${login}${server}:${typed('port')}`;
}
