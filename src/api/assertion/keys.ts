import { Hono } from 'hono';
import { AppError } from '../../errors.ts';
import type { ApiEnvironment } from '../request-context.ts';

export interface AssertionKeysApiDependencies {
  /** Public keys by which assertions are checked, as JWK, and for how many seconds they may be kept. Undefined: there are no assertions. */
  readonly assertionKeys?:
    | (() => Promise<{ readonly keys: readonly object[]; readonly maxAge: number }>)
    | undefined;
}

/** `GET /postern/api/jwks.json`: for whoever stands behind the gate, and for anybody else. */
export function assertionKeyRoutes({ assertionKeys }: AssertionKeysApiDependencies) {
  return new Hono<ApiEnvironment>().get('/', async (c) => {
    if (assertionKeys === undefined) throw new AppError('not_found');
    const { keys, maxAge } = await assertionKeys();
    c.header('cache-control', `public, max-age=${maxAge}`);
    return c.json({ keys });
  });
}
