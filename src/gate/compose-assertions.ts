import type { Assert } from '../access/assertion/assertion.ts';
import { asserting } from '../access/assertion/asserting.ts';
import type { PublishedKeys } from '../access/assertion/assertion-keys.ts';
import type { Authorization, Authorize } from '../access/authorize.ts';
import type { Configuration } from '../config/configuration.ts';
import { passesOnItself } from '../policy/request-context.ts';
import type { Transformer } from '../recorder/whole-answer.ts';
import type { Sealing } from '../identity/sealing.ts';
import type { Services } from './services.ts';

/** Proves to servers behind the gate that a request was permitted. */
export interface Assertions {
  readonly assert: Assert;
  readonly published: () => Promise<PublishedKeys>;
}

/** @returns undefined when assertions are off */
export function composeAssertions(
  { assertion }: Configuration,
  sealing: Sealing,
  { clock, logger, read, change }: Services,
): Assertions | undefined {
  if (assertion === undefined) return undefined;
  const open = async () => {
    // Without assertions, the code that makes keys is not loaded.
    const { createAssertionKeys } = await import('../access/assertion/assertion-keys.ts');
    const { createAssert } = await import('../access/assertion/assertion.ts');
    const keys = createAssertionKeys({
      read,
      change,
      sealing,
      clock,
      onFault: (error) =>
        logger.warn(
          { err: error },
          'keys for assertions were not read or made: those that are known stay in use',
        ),
      onMade: (keyId) => logger.info({ key: keyId }, 'made a key for assertions'),
    });
    return { published: keys.published, assert: createAssert({ ...assertion, keys, clock }) };
  };
  let opening: ReturnType<typeof open> | undefined;
  let known: Assertions | undefined;
  const opened = async () => (known = await (opening ??= open()));
  return {
    // Once it is loaded, what was signed before is there at once.
    assert: (request) => known?.assert(request) ?? opened().then(({ assert }) => assert(request)),
    published: async () => (await opened()).published(),
  };
}

/** The pipeline for requests that are passed on. */
export function authorizeWith(
  assertions: Assertions | undefined,
  { authorize, record }: Pick<Authorization, 'authorize' | 'record'>,
  transformers: readonly Transformer[],
  { logger }: Services,
): Authorize {
  if (assertions === undefined) return authorize;
  return asserting({
    authorize,
    record,
    assert: assertions.assert,
    // The length of an answer that the gate changes is unknown until the gate has read it.
    methodOf: ({ method, front }, permitted) =>
      method === 'HEAD' && passesOnItself(front) && transformers.some(({ isFor }) => isFor(permitted))
        ? 'GET'
        : method,
    logger,
  });
}
