import { ECDH } from 'node:crypto';
import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { SessionRegistry } from '../../accounts/sessions/last-seen.ts';
import { actorOf } from '../../api/request.ts';
import { endpoint, undocumentedEndpoint } from '../../api/endpoint.ts';
import { ownSession } from '../../api/second-factor/own-factors.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { AppError } from '../../errors.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import { languageOf } from '../../language/language.ts';
import { isPublicHost } from '../../policy/public-address.ts';
import type { PushSubscriptions } from './subscriptions.ts';

export interface PushDependencies {
  readonly pushSubscriptions: PushSubscriptions;
  readonly sessionRegistry: Pick<SessionRegistry, 'find'>;
  /** The public key of the gate, base64url. */
  readonly pushKey: () => Promise<string>;
  /** Origins in private networks that may get pushes. */
  readonly pushServices: readonly string[];
  readonly hasRecorder: boolean;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly settings: Settings;
}

const account = { level: 'own-account', requiresSession: true, tag: 'Sign-in' } as const;

const endpointUrl = v.pipe(
  v.string('Input should be text'),
  v.maxLength(1_024, 'At most 1024 characters'),
  v.check((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  }, 'Input should be the https address of a push service'),
  v.description('Where the push service takes pushes for this browser.'),
);
const browserKey = v.pipe(
  v.string('Input should be text'),
  v.check(isPoint, 'Input should be a public key of P-256, base64url'),
  v.description('An uncompressed point of P-256, base64url.'),
);
const secret = v.pipe(
  v.string('Input should be text'),
  v.regex(/^[\w-]{22}$/, 'Input should be 16 bytes, base64url'),
);

export const readPush = endpoint({
  method: 'get',
  path: '/postern/api/push',
  ...account,
  summary: 'Get the key and your browsers for pushes',
  answers: {
    200: {
      meaning: 'Your browsers that get pushes, and the key of Postern.',
      body: v.strictObject({
        possible: v.pipe(v.boolean(), v.description('Whether there is a recorder to hear of.')),
        key: v.pipe(v.string(), v.description('`applicationServerKey` (RFC 8292), base64url.')),
        ids: v.pipe(
          v.array(v.string()),
          v.description('SHA-256 of the endpoint of each browser, hexadecimal.'),
        ),
        over: v.pipe(
          v.array(v.string()),
          v.description(
            'Browsers that get none anymore, since their session has ended: switch them on again.',
          ),
        ),
      }),
    },
  },
  handle:
    ({ pushSubscriptions, sessionRegistry, pushKey, hasRecorder, settings }: PushDependencies) =>
    async (c) => {
      const { username } = ownSession(c, settings).user;
      const ids: string[] = [];
      const over: string[] = [];
      for (const { id, sessionId } of await pushSubscriptions.of(username))
        ((await sessionRegistry.find(sessionId)) === undefined ? over : ids).push(id);
      return { possible: hasRecorder, key: await pushKey(), ids, over };
    },
});

export const switchPushOn = endpoint({
  method: 'post',
  path: '/postern/api/push',
  ...account,
  summary: 'Switch pushes on for a browser',
  description:
    'It gets a text for each alert of the recorder that you may see at that moment, until this session ends or your password changes.',
  body: strictBody({
    endpoint: endpointUrl,
    keys: strictBody({ p256dh: browserKey, auth: secret }),
  }),
  bodyExample: {
    endpoint: 'https://push.example/a1b2',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
  answers: {
    201: {
      meaning: 'It gets pushes from now on.',
      body: v.strictObject({ id: v.string() }),
    },
    409: { meaning: '`too_many_subscriptions`: 20 browsers of yours get pushes.' },
    422: { meaning: 'The subscription is malformed, or its push service is in a private network.' },
    429: { meaning: 'Too many changes; `Retry-After` has the seconds.' },
  },
  handle:
    ({ pushSubscriptions, pushServices, changeLimit, audit, settings }: PushDependencies) =>
    async (c) => {
      const { user, claims } = ownSession(c, settings);
      await changeLimit.take('push', user.username);
      const { endpoint: address, keys } = c.req.valid('json');
      const { origin, protocol, hostname } = new URL(address);
      // Anyone with an account writes it: it must not lead into this network.
      const isOutside = protocol === 'https:' && isPublicHost(hostname);
      if (!isOutside && !pushServices.includes(origin))
        throw invalid(
          ['body', 'endpoint'],
          'The push service is in a private network: notifications.push_services lists those that are allowed',
        );
      const id = await pushSubscriptions.add(
        {
          username: user.username,
          sessionId: claims.sessionId,
          generation: user.generation,
          endpoint: address,
          publicKey: keys.p256dh,
          auth: keys.auth,
          language: languageOf(c.req.header('accept-language')),
        },
        c.var.permit,
      );
      await audit.record({ event: 'push_on', ...actorOf(c, settings), detail: { service: origin } });
      return { id };
    },
});

export const switchPushOff = endpoint({
  method: 'delete',
  path: '/postern/api/push/:id',
  ...account,
  summary: 'Switch pushes off for a browser',
  answers: { 204: { meaning: 'It gets none from now on.' }, 404: { meaning: 'It got none.' } },
  handle:
    ({ pushSubscriptions, audit, settings }: PushDependencies) =>
    async (c) => {
      const { username } = ownSession(c, settings).user;
      const { id } = c.req.param();
      if (!(await pushSubscriptions.remove(username, id, c.var.permit))) throw new AppError('not_found');
      await audit.record({ event: 'push_off', ...actorOf(c, settings) });
    },
});

/** An uncompressed point of the curve. */
function isPoint(text: string): boolean {
  if (!/^B[\w-]{86}$/.test(text)) return false;
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url', undefined, 'uncompressed');
    return true;
  } catch {
    return false;
  }
}

/**
 * Shows pushes while no page is open. It runs on its own (Service Workers), takes nothing from the recorder's pages, since its scope ends
 * below `/postern/`, and keeps nothing.
 */
const script = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => {
  const { title, body: what, at, language, tag, page } = event.data.json();
  const body = what + ', ' + new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at * 1000);
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { page } }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.page, self.registration.scope);
  event.waitUntil(self.clients.openWindow(url.href));
});
`;

export const sendPushWorker = undocumentedEndpoint({
  method: 'get',
  path: '/postern/push.js',
  level: 'public',
  handle: () => () =>
    new Response(script, {
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      },
    }),
});
