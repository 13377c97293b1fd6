import { expect, test } from 'vitest';
import type { Endpoint } from '../../../../src/api/endpoint.ts';
import { ConfigurationError } from '../../../../src/config/problem.ts';
import type { AlertTarget } from '../../../../src/config/resolve-notifications.ts';
import {
  listTargets,
  readOwnEmail,
  setOwnEmail,
  testTarget,
  testTargets,
} from '../../../../src/features/alerts/endpoints.ts';
import { askEndpoint } from '../../api/ask-endpoint.ts';

const hook = { type: 'webhook', host: 'hook.example' } as const;
const mail = { type: 'mail', host: 'mail.example:25' } as const;
const written: AlertTarget = {
  type: 'webhook',
  url: 'https://hook.example/secret',
  secret: 's',
  mayBePrivate: false,
};

/** What the endpoints use, and what they did with it. */
function house({ own, targets = [hook, mail] }: Facts) {
  const done: unknown[][] = [];
  const services = {
    alerts: {
      targets: () => targets,
      countLost: async () => 3,
      test: async (user: string) => {
        done.push(['test', user]);
        return [
          { ...hook, fault: undefined },
          { ...mail, fault: 'it answered 500' },
        ];
      },
      testTarget: async (target: AlertTarget, user: string) => {
        done.push(['testTarget', target, user]);
        return target === written ? undefined : 'refused';
      },
    },
    settingsFile: {
      targetOf: async (value: unknown) => {
        if (value === 'wrong')
          throw new ConfigurationError([{ path: 'notifications', found: 'no such target', allowed: 'one' }]);
        return value === 'written' ? written : { ...written, url: 'https://other.example:8443/secret' };
      },
    },
    emails: {
      of: async () => own,
      set: async (user: string, email: string | undefined) => void done.push(['set', user, email]),
    },
    changeLimit: { take: async () => undefined },
  };
  return { done, services };
}

interface Facts {
  readonly own?: { readonly email: string | undefined; readonly isOfProvider: boolean };
  readonly targets?: readonly object[];
}

async function ask(
  endpoint: Endpoint,
  body?: object,
  { provedAgo = 0, ...facts }: Facts & { provedAgo?: number } = {},
) {
  const { done, services } = house(facts);
  const asked = askEndpoint<Endpoint>({ endpoint, services, role: 'admin', provedAgo });
  const answer = await asked.ask(endpoint.path, body);
  const json: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
  return { status: answer.status, json, done, recorded: asked.recorded };
}

test('targets are listed with what was lost', async () => {
  const { status, json } = await ask(listTargets);
  expect([status, json]).toEqual([200, { targets: [hook, mail], lost: 3 }]);
});

test('a test of all targets names the fault of each', async () => {
  const { status, json, done } = await ask(testTargets);
  expect([status, json]).toEqual([
    200,
    [
      { ...hook, fault: null },
      { ...mail, fault: 'it answered 500' },
    ],
  ]);
  expect(done).toEqual([['test', 'olaf']]);
});

test.each<[target: string, fault: string | null, detail: object]>([
  ['written', null, { type: 'webhook', host: 'hook.example', result: 'sent' }],
  ['other', 'refused', { type: 'webhook', host: 'other.example:8443', result: 'refused' }],
])('a test of one target, %s, is in the audit with its fault', async (target, fault, detail) => {
  const { status, json, done, recorded } = await ask(testTarget, { target });
  expect([status, json]).toEqual([200, { fault }]);
  expect(done).toEqual([['testTarget', expect.anything(), 'olaf']]);
  expect(recorded).toMatchObject([{ event: 'alert_tested', user: 'olaf', address: '192.0.2.1', detail }]);
});

test.each<[what: string, target: string, provedAgo: number, status: number, text: string]>([
  ['that config.yml could not have', 'wrong', 0, 422, 'no such target'],
  ['after an old proof', 'written', 601_000, 403, 'step_up_needed'],
])('nothing is sent to a target %s', async (_, target, provedAgo, status, text) => {
  const answer = await ask(testTarget, { target }, { provedAgo });
  expect([answer.status, JSON.stringify(answer.json)]).toEqual([status, expect.stringContaining(text)]);
  expect([answer.done, answer.recorded]).toEqual([[], []]);
});

const ofProvider = { email: 'olaf@work.example', isOfProvider: true };
const own = { email: 'olaf@home.example', isOfProvider: false };

test.each<[what: string, facts: Facts, email: object]>([
  ['without an address', {}, { email: null, of_provider: false, mails: true }],
  ['with an address', { own }, { email: 'olaf@home.example', of_provider: false, mails: true }],
  ['of a provider', { own: ofProvider }, { email: 'olaf@work.example', of_provider: true, mails: true }],
  [
    'without a mail server',
    { own, targets: [hook] },
    { email: 'olaf@home.example', of_provider: false, mails: false },
  ],
])('the address for alerts of a user %s', async (_, facts, email) => {
  const { status, json } = await ask(readOwnEmail, undefined, facts);
  expect([status, json]).toEqual([200, email]);
});

const changed = { event: 'email_changed', user: 'olaf', object: 'olaf' };

test.each<[email: unknown, provedAgo: number, status: number, done: unknown[][], recorded: object[]]>([
  ['olaf@home.example', 0, 204, [['set', 'olaf', 'olaf@home.example']], [changed]],
  [null, 0, 204, [['set', 'olaf', undefined]], [changed]],
  ['olaf@home.example', 601_000, 403, [], []],
  ['olaf', 0, 422, [], []],
  ['@home.example', 0, 422, [], []],
  [undefined, 0, 422, [], []],
])(
  'setting the address %s, proved %i ms ago, is answered with %i',
  async (email, provedAgo, status, done, recorded) => {
    const answer = await ask(setOwnEmail, { email }, { provedAgo });
    expect([answer.status, answer.done]).toEqual([status, done]);
    expect(answer.recorded).toMatchObject(recorded);
    expect(answer.recorded).toHaveLength(recorded.length);
  },
);
