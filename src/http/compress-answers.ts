import type { Context, MiddlewareHandler } from 'hono';
import { accepts } from 'hono/accepts';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
// As quick as gzip, and smaller: each answer is compressed once.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

// Bytes: what fits into one packet travels no faster for it.
const least = 1_024;
// Bytes of `Accept-Encoding`: one of 90 KB takes 100 ms to read, and nobody has to log in to send it.
const longestAccepted = 1_024;
const compressible = /^(?:application\/json|text\/html)\b/;

/**
 * Compresses JSON and pages as `Accept-Encoding` says (RFC 9110, 12.5.3), in threads of Node's, so that no decision waits.
 *
 * Answers to GET alone. What a client has sent and a secret in one compressed answer would tell the secret by its length (BREACH).
 * A password, a session token or a new API token is told in answers to POST and PUT only; what a GET shows of tokens and of the
 * configuration has no secret in it. A page of a refusal has the name of whoever asks beside an address that any site may have
 * chosen, so no failure is compressed; whoever makes many of them does not have that done, either.
 */
export function compressAnswers(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    if (c.req.method !== 'GET' || !c.res.ok || headers.has('content-encoding')) return;
    if (!compressible.test(headers.get('content-type') ?? '')) return;
    c.header('vary', 'accept-encoding', { append: true });
    const coding = codingFor(c);
    if (coding === undefined) return;
    const plain = await c.res.arrayBuffer();
    const isWorthIt = plain.byteLength >= least;
    const body = !isWorthIt ? plain : await (coding === 'br' ? brotlied(plain, quality) : gzipped(plain));
    const answer = new Response(body, { status: c.res.status, headers: c.res.headers });
    if (isWorthIt) {
      answer.headers.set('content-encoding', coding);
      answer.headers.delete('content-length');
    }
    // Without this, Hono would take over the headers of the former answer.
    c.res = undefined;
    c.res = answer;
  };
}

/** @returns undefined when the client takes no coding of ours; its order of them says nothing, since browsers name gzip first */
export function codingFor(c: Context): 'br' | 'gzip' | undefined {
  if ((c.req.header('accept-encoding') ?? '').length > longestAccepted) return undefined;
  const found = accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip'],
    default: 'identity',
    match: (sent, { supports, default: none }) =>
      supports.find((coding) => sent.some(({ type, q }) => type === coding && q > 0)) ?? none,
  });
  return found === 'br' || found === 'gzip' ? found : undefined;
}
