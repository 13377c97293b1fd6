import { openPool, type UpstreamAddress } from './upstream-pool.ts';
import { hasTlsAt, speaksTls } from './speaks-tls.ts';

export interface RecorderAnswer {
  readonly status: number;
  readonly body: string;
  /** Where a redirect points. */
  readonly location?: string | undefined;
}

/** The gate's own requests to an upstream, over connections of their own: clients' requests do not delay them. */
export interface RecorderClient {
  /** @throws when there is no response, or a long one; `speaksTls` when plain HTTP went to a TLS port */
  get(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    /** Bytes of the response at most. */
    longest?: number,
  ): Promise<RecorderAnswer>;
  /** Sends JSON. @throws as `get` */
  put(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
    signal: AbortSignal,
  ): Promise<RecorderAnswer>;
  /** Cuts requests that are under way. */
  close(): void;
}

const connections = 4;

// A response that names thousands of cameras is shorter.
const longestAnswer = 1_048_576;

/** The error of a response that is longer than allowed. */
export const tooLong = 'the answer is too long';

export function createRecorderClient(address: UpstreamAddress): RecorderClient {
  const pool = openPool(address, { connections });
  const plainOrigin = 'origin' in address && address.origin.startsWith('http:') ? address.origin : undefined;
  const isTls = async (signal: AbortSignal) =>
    plainOrigin !== undefined && !signal.aborted && (await hasTlsAt(plainOrigin, signal));
  return {
    get: async (path, headers, signal, longest = longestAnswer) => {
      const asked = pool
        .request({ method: 'GET', path, headers, signal })
        .then((answer) => whole(answer, longest));
      const answer = await asked.catch(async (error: unknown) => {
        throw (await isTls(signal)) ? new Error(speaksTls) : error;
      });
      if (answer.status === 400 && (await isTls(signal))) throw new Error(speaksTls);
      return answer;
    },
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

interface PoolAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Buffer>;
}

async function whole({ statusCode, headers, body }: PoolAnswer, longest: number): Promise<RecorderAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longest) throw new Error(tooLong);
    chunks.push(chunk);
  }
  const { location } = headers;
  const answer = { status: statusCode, body: Buffer.concat(chunks).toString() };
  return typeof location === 'string' ? { ...answer, location } : answer;
}
