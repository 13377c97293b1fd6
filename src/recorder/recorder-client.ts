import { openPool, type UpstreamAddress } from '../reverse-proxy/upstream-pool.ts';

export interface RecorderAnswer {
  readonly status: number;
  readonly body: string;
}

/** What the gate itself asks an upstream, over connections of its own: what clients ask for does not hold it up. */
export interface RecorderClient {
  /** @throws when there is no answer, or none that is small */
  get(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    /** Bytes of the answer at most. */
    longest?: number,
  ): Promise<RecorderAnswer>;
  /** Sends JSON. @throws as `get` */
  put(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
    signal: AbortSignal,
  ): Promise<RecorderAnswer>;
  /** Cuts what is under way. */
  close(): void;
}

const connections = 4;

// An answer that names thousands of cameras is shorter.
const longestAnswer = 1_048_576;

/** What the error of an answer says that is longer than allowed. */
export const tooLong = 'the answer is too long';

export function createRecorderClient(address: UpstreamAddress): RecorderClient {
  const pool = openPool(address, { connections });
  return {
    get: async (path, headers, signal, longest = longestAnswer) =>
      whole(await pool.request({ method: 'GET', path, headers, signal }), longest),
    put: async (path, headers, body, signal) =>
      whole(
        await pool.request({
          method: 'PUT',
          path,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal,
        }),
        longestAnswer,
      ),
    close: () => void pool.destroy(),
  };
}

async function whole(
  { statusCode, body }: { readonly statusCode: number; readonly body: AsyncIterable<Buffer> },
  longest: number,
): Promise<RecorderAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longest) throw new Error(tooLong);
    chunks.push(chunk);
  }
  return { status: statusCode, body: Buffer.concat(chunks).toString() };
}
