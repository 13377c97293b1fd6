import { alertEvents, namesPrivateHost, type AlertEvent } from './notifications-section.ts';
import { expandSecret, type SecretsContext } from './environment.ts';
import type { Findings } from './problem.ts';
import type { ConfigurationFile } from './schema.ts';

interface AnyTarget {
  readonly url: string;
  /** It may be at an address of a private network. */
  readonly mayBePrivate: boolean;
}

export interface WebhookTarget extends AnyTarget {
  readonly type: 'webhook';
  readonly secret: string;
}

export interface NtfyTarget extends AnyTarget {
  readonly type: 'ntfy';
  readonly token: string | undefined;
}

/** The URL has the password of the mail server, if it needs one. */
export interface MailTarget extends AnyTarget {
  readonly type: 'mail';
  readonly from: string;
  readonly to: readonly string[];
}

export type AlertTarget = WebhookTarget | NtfyTarget | MailTarget;

export interface Notifications {
  readonly targets: readonly AlertTarget[];
  readonly events: ReadonlySet<AlertEvent>;
  /** Origins in private networks that may get pushes. */
  readonly pushServices: readonly string[];
}

/** Resolves `notifications`: placeholders, and which targets may be at a private address. */
export function resolveNotifications(
  { notifications: file }: ConfigurationFile,
  context: SecretsContext,
  findings: Findings,
): Notifications {
  const targets = (file.targets ?? []).flatMap((target, index): AlertTarget[] => {
    const at = (key: string) => `notifications.targets.${index}.${key}`;
    const expand = (key: string, value: string) => expandSecret(at(key), value, context, findings);
    const found = (url: string) => ({ url, mayBePrivate: target.private || namesPrivateHost(url) });
    if (target.type === 'webhook') {
      const secret = expand('secret', target.secret);
      if (secret === undefined) return [];
      if (secret.length < 16)
        findings.warn(`${at('secret')} is short: with 16 characters or more no one can guess it`);
      return [{ type: 'webhook', secret, ...found(target.url) }];
    }
    if (target.type === 'ntfy') {
      const token = target.token === undefined ? undefined : expand('token', target.token);
      // The header of a bearer token carries nothing else (RFC 6750, 2.1).
      if (token !== undefined && !/^[\u0021-\u007e]*$/.test(token))
        findings.refuse(
          at('token'),
          'a token with a blank or a special letter',
          'an access token such as tk_3gtg5ac2',
        );
      return [{ type: 'ntfy', token, ...found(target.url) }];
    }
    const url = expand('url', target.url);
    if (url === undefined) return [];
    if (!URL.canParse(url)) {
      findings.refuse(at('url'), 'no URL', 'a URL, with %-escapes for what is special in a password');
      return [];
    }
    return [{ type: 'mail', from: target.from, to: target.to, ...found(url) }];
  });
  return {
    targets,
    events: new Set(file.events ?? (Object.keys(alertEvents) as AlertEvent[])),
    pushServices: file.push_services ?? [],
  };
}
