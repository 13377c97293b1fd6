import { sendRaw } from '../../test/support/raw-http.ts';
import type { GateProcess } from './gate-process.ts';
import { sessionToken } from './session-tokens.ts';

/** Asks as an admin, or by another token. @returns the body of the answer. @throws when it is refused */
export type Ask = (
  method: string,
  uri: string,
  wanted?: { readonly token?: string; readonly body?: object },
) => Promise<string>;

/** Asks a gate at its listener of fronts. */
export function askerOf({ address }: GateProcess): Ask {
  return async (method, uri, { token = sessionToken('admin', 'admin'), body } = {}) => {
    const headers = [
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
    ] as const;
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await sendRaw(address, { method, uri, headers, ...text });
    if (answer.status >= 400) throw new Error(`${method} ${uri}: ${answer.status} ${answer.body}`);
    return answer.body;
  };
}
