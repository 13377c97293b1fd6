import type { Configuration } from '../../../config/configuration.ts';
import { type Finding, finding, skipped, tryEach } from '../check.ts';
import type { Examination, FrontCheck, ProbeContext } from './examination.ts';
import { type HeaderLine, type ProbeAnswer, inWords, isSuccess, jsonOf } from './exchange.ts';

/** A header by which a proxy tells who asks, with a value that a client may send. */
interface Claim {
  readonly name: string;
  readonly value: string;
}

const nobody = 'postern-doctor';

/**
 * A proxy that signs users on sets each identity header itself, or removes it: a user whom it has signed on could otherwise name another
 * user or role.
 */
export const proxyHeaders: FrontCheck = {
  name: 'proxy-headers',
  run: async (examination) => {
    const { options, context, profile, first, send } = examination;
    const { proxySession, insecure, front } = options;
    const isSigned = proxySession.length > 0;
    if (!isSigned && !isSuccess(profile))
      return [
        skipped(
          "give --header or --cookie with the session of the proxy that signs users on, if there's one",
        ),
      ];
    if (isSigned && !insecure && (!front.tls || first.certificateProblem !== undefined))
      return [skipped('nothing secret is sent without TLS and a valid certificate, but with --insecure')];
    const ask = (more: readonly HeaderLine[]) =>
      send({ target: '/api/profile', headers: [...proxySession, ...more] });
    const plain = await ask([]);
    if (plain.status !== 200 && plain.status !== 403)
      return [
        skipped(`GET /api/profile with the session of the proxy is ${inWords(plain)}: it is not valid`),
      ];
    const claims = claimsOf(context);
    return tryEach(
      claims,
      async (claim) => compare(claim, plain, await ask([[claim.name, claim.value]]), examination),
      `GET /api/profile with ${claims.length} claims${isSigned ? ' and the session of the proxy' : ''}`,
    );
  },
};

/** The headers of `header_map`, or, without `--config`, all that a proxy may send. */
export function claimsOf({
  configuration,
  trustedHeaders,
}: Pick<ProbeContext, 'configuration' | 'trustedHeaders'>) {
  const mapped = configuration && [configuration.proxy.roleHeader, configuration.proxy.userHeader];
  const names = mapped?.filter((name) => name !== undefined) ?? [];
  const tried = names.length > 0 ? names : trustedHeaders.filter((name) => !name.endsWith('-secret'));
  return tried.flatMap((name): readonly Claim[] => {
    const isRole = name === configuration?.proxy.roleHeader;
    // An unknown one shows even for an admin whether the header arrives.
    return [isRole ? adminGroup(configuration) : 'admin', nobody].map((value) => ({ name, value }));
  });
}

/** A group that gives the role admin. */
function adminGroup(configuration: Configuration | undefined): string {
  const [group] = configuration?.proxy.roleMap?.get('admin') ?? [];
  return group ?? 'admin';
}

function compare(
  { name, value }: Claim,
  plain: ProbeAnswer,
  answer: ProbeAnswer,
  { options }: Examination,
): Finding {
  const [before, after] = [identityIn(plain), identityIn(answer)];
  const isBelieved = before !== after && (isSuccess(answer) || answer.status === 403);
  const as = options.proxySession.length > 0 ? ' and the session of the proxy' : '';
  return finding(
    `GET /api/profile with ${name}: ${value === nobody ? nobody : 'a value of an admin'}${as}`,
    'the same as without it',
    isBelieved
      ? `${inWords(answer)}, as another user or role: the proxy passes the header on`
      : inWords(answer),
    isBelieved &&
      `in the proxy that signs users on: set ${name} for each request, or remove it (nginx: proxy_set_header ${name} "";): whom it signs on can otherwise be anyone`,
  );
}

/** Who asks, as the gate understands; a refusal because of the role is one too. */
function identityIn(answer: ProbeAnswer): string {
  if (!isSuccess(answer)) return String(answer.status);
  const { username, role } = (jsonOf(answer) ?? {}) as {
    readonly username?: unknown;
    readonly role?: unknown;
  };
  return JSON.stringify([username, role]);
}
