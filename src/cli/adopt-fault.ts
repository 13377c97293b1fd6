import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '../config/read-file.ts';
import { everyoneIsAdmin } from '../config/resolve-recorder.ts';
import { unreadReasons } from '../recorder/configuration-answer.ts';
import type { RecorderSays } from '../recorder/try-recorder.ts';
import { isOn, readFrigateFile } from '../adopt/frigate-file.ts';
import { headersName } from '../adopt/plan.ts';
import { contentOf, valueAt } from '../adopt/section-edits.ts';

/** Frigate's file as it is now, as far as it decides whether Frigate believes Postern. */
export interface FrigateNow {
  readonly path: string;
  /** Whether the new file is still beside it. */
  readonly isWaiting: boolean;
  /** Whether its sign-in is as adopt wrote it. */
  readonly isAdopted: boolean;
  readonly hasTls: boolean;
  /** As it is written; it may be a variable. */
  readonly secret: string | undefined;
}

/** @returns undefined when the file cannot be read here */
export function readFrigateNow(path: string): FrigateNow | undefined {
  try {
    const text = readText(path);
    const { signIn, secret } = readFrigateFile(text, path);
    return {
      path,
      isWaiting: existsSync(`${path}.postern`),
      isAdopted: signIn === 'postern',
      hasTls: isOn(valueAt(contentOf(text), ['tls', 'enabled']), true),
      secret,
    };
  } catch {
    return undefined;
  }
}

interface Probed {
  /** Frigate's answers to Postern. */
  readonly says: RecorderSays;
  readonly upstream: string;
  /** Postern's `recorder.auth_secret`. */
  readonly secret: string | undefined;
  readonly file: FrigateNow | undefined;
}

/** Why Frigate does not believe Postern, and what to do first, in one sentence. @returns undefined when it does */
export function frigateFault({ says, upstream, secret, file }: Probed): string | undefined {
  const { read, roleForAdmin, isEveryoneAdmin } = says;
  if ('fault' in read) {
    if (read.fault === 'no_answer')
      return `Frigate does not answer at ${upstream} (${read.detail ?? 'no answer'}): start it, and look at its log`;
    if (read.fault === 'speaks_tls') return tlsIsOn(upstream, file);
    if (read.fault === 'asks_for_login') return loginIsOn(upstream, secret, file);
    const detail = read.detail === undefined ? '' : ` (${read.detail})`;
    return `${unreadReasons[read.fault]}${detail}`;
  }
  if (roleForAdmin !== undefined && roleForAdmin !== 'admin') return headersAreMissing(file);
  return isEveryoneAdmin ? everyoneIsAdmin : undefined;
}

function tlsIsOn(upstream: string, file: FrigateNow | undefined): string {
  const what = `Frigate still has TLS on at ${upstream}`;
  if (file === undefined)
    return `${what}: restart it; if that doesn't help, set tls.enabled: false in its config.yml`;
  return notInUse(what, file) ?? (file.hasTls ? mend(what, 'tls.enabled: false', file) : restart(what));
}

function loginIsOn(upstream: string, secret: string | undefined, file: FrigateNow | undefined): string {
  const what = `Frigate asks for its own sign-in at ${upstream}`;
  const same = "proxy.auth_secret of Frigate's config.yml must be recorder.auth_secret of Postern's";
  if (file === undefined) return `${what}: restart it; if that doesn't help, ${same}`;
  const early = notInUse(what, file);
  if (early !== undefined) return early;
  if (!file.isAdopted) return mend(what, 'auth.enabled: false and proxy.header_map', file);
  if (file.secret?.includes('{') === true) return `${restart(what)}; if that doesn't help, ${same}`;
  if (file.secret === secret) return restart(what);
  return `Frigate has another secret than Postern: set proxy.auth_secret in ${file.path} to the value of recorder.auth_secret in Postern's config.yml, and restart Frigate`;
}

function headersAreMissing(file: FrigateNow | undefined): string {
  const list = file === undefined ? headersName : join(dirname(file.path), headersName);
  return `Frigate does not read the role that Postern sends: mount ${list} at /usr/local/nginx/conf/proxy_trusted_headers.conf in Frigate's container, and make the container again (docker compose up -d --force-recreate)`;
}

/** The text of adopt is still beside the file that Frigate reads. */
function notInUse(what: string, { path, isWaiting, isAdopted }: FrigateNow): string | undefined {
  if (!isWaiting || isAdopted) return undefined;
  return `${what}: its new configuration is still beside the old one: mv ${path}.postern ${path}, and restart Frigate`;
}

const restart = (what: string) =>
  `${what}, though its config.yml says otherwise: restart Frigate, which reads the file only at its start`;

const mend = (what: string, keys: string, { path }: FrigateNow) =>
  `${what}: set ${keys} in ${path}, as "postern adopt --write-frigate" does, and restart Frigate`;
