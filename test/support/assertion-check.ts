import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { projectRoot } from './start-gateway.ts';

/** The check that docs/assertion.md has for services. */
interface Guide {
  readonly assertionCheck: (
    gate: Readonly<Record<'keys' | 'issuer' | 'audience', string>> & {
      readonly covers?: 'request' | 'prefix';
    },
  ) => (
    request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  ) => Promise<{ readonly user: string; readonly role: string }>;
}

export const { assertionCheck } = (await import(
  join(projectRoot, 'docs', 'assertion', 'check-assertion.js')
)) as Guide;

/** A target for which an assertion of a prefix is signed, other targets that it covers, and targets that it must not cover. */
export const coveredTargets: ReadonlyArray<
  readonly [signed: string, covered: readonly string[], others: readonly string[]]
> = [
  [
    '/api/events/1/clip.mp4',
    ['/api/events/2/thumbnail.jpg?x=/../', '/api/events/', '/api/events/2', '/api/events/..a/...'],
    [
      '/api/events',
      '/api/config',
      '/api/events/../config',
      '/api/events/%2e%2e/config',
      '/api/events/.%2e',
      '/api/events/..%2f',
      '/api/events/..%5C',
      '/api/events/..;',
      '/api/events/..',
      '/api/events/.',
      '/api/events//config',
      '/api/events/..%2fconfig',
      '/api/events/a;/../../config',
      '/api/events/..\\config',
      '/api/events/a/./b',
    ],
  ],
  ['/', ['/', '/?a'], ['/api/config', '/api', '//']],
  ['/api/', ['/api/'], ['/api/config', '/api/events/1/clip.mp4']],
  ['/api/config', ['/api/config'], ['/api/config/', '/api/config/raw', '/api/configs']],
  ['/api/events//1', ['/api/events//1'], ['/api/events/', '/api/events//2']],
];
