import type { OidcConfiguration } from '../../../config/configuration.ts';
import { finding, info, type Finding } from '../check.ts';
import {
  type Fields,
  type ProviderCheck,
  type ReachedProvider,
  listIn,
  textIn,
} from './provider-examination.ts';

/** Algorithms that the gate verifies; `none`, and HMAC with the client's secret, are not among them. */
const algorithms = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

/** Discovery answers at the issuer's address, and the provider offers what a login needs. */
export const discovery: ProviderCheck = {
  name: 'oidc-discovery',
  run: async ({ oidc, discovery: { answer }, discoveryUrl, metadata }) => {
    const sent = `GET ${discoveryUrl}`;
    if (metadata === undefined) return [notFound(sent, answer)];
    const codeFlow = 'the provider must offer the code flow';
    return [
      finding(sent, 'a JSON object', 'a JSON object', false),
      issuerFinding(oidc, metadata),
      ...endpointFindings(oidc, metadata),
      offered(metadata, 'response_types_supported', 'code', codeFlow),
      offered(metadata, 'grant_types_supported', 'authorization_code', codeFlow),
      pkceFinding(metadata),
      algorithmFinding(metadata),
    ];
  },
};

function notFound(
  sent: string,
  { status, location, failure }: ReachedProvider['discovery']['answer'],
): Finding {
  if (status === 0) {
    const seen = failure ?? 'no answer';
    return finding(sent, '200', seen, isOfCertificate(seen) ? privateAuthority : unreachable);
  }
  const leads = location === undefined ? '' : ` to ${location.href}`;
  return finding(
    sent,
    '200 and a JSON object',
    `${status}${leads}`,
    'auth.oidc.issuer: the address below which the provider has /.well-known/openid-configuration, without a redirect',
  );
}

const unreachable =
  'auth.oidc.issuer, or the way from this machine to the provider: its name must be known here, and its port open';
const privateAuthority =
  'NODE_EXTRA_CA_CERTS=/path/of/the/authority.pem in the environment of Postern and of this command, or a certificate that every client trusts';

function isOfCertificate(failure: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ALTNAME/.test(failure);
}

function issuerFinding({ issuer }: OidcConfiguration, metadata: Fields): Finding {
  const said = textIn(metadata, 'issuer') ?? 'nothing';
  // A slash after a bare origin makes no difference, as in the gate.
  const isSame = URL.parse(said)?.href === new URL(issuer).href;
  return finding(
    'issuer',
    issuer,
    said,
    !isSame && `auth.oidc.issuer: ${said}, exactly as the provider writes it`,
  );
}

function endpointFindings({ issuer }: OidcConfiguration, metadata: Fields): readonly Finding[] {
  // The configuration allows http only for a provider on loopback.
  const allowed = issuer.startsWith('http:') ? /^https?:/ : /^https:/;
  return ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map((name) => {
    const said = textIn(metadata, name);
    const isGood = said !== undefined && allowed.test(said);
    return finding(
      name,
      'an https address',
      said ?? 'none',
      !isGood && `the provider must say ${name} by https`,
    );
  });
}

/** A required feature that a provider may leave out of its metadata (OpenID Connect Discovery 1.0, 3). */
function offered(metadata: Fields, name: string, wanted: string, change: string): Finding {
  const list = listIn(metadata, name);
  if (list === undefined) return finding(name, wanted, 'nothing said', false);
  return list.includes(wanted)
    ? finding(name, wanted, wanted, false)
    : finding(name, wanted, list.join(' '), change);
}

function pkceFinding(metadata: Fields): Finding {
  const name = 'code_challenge_methods_supported';
  const list = listIn(metadata, name);
  if (list?.includes('S256') === true) return finding(name, 'S256', 'S256', false);
  const change = 'the provider must take PKCE with S256; some take it only where the client requires it';
  return list === undefined
    ? info(name, 'nothing said: whether the provider checks PKCE is not known', change)
    : finding(name, 'S256', list.join(' ') || 'none', change);
}

function algorithmFinding(metadata: Fields): Finding {
  const name = 'id_token_signing_alg_values_supported';
  const list = listIn(metadata, name) ?? [];
  const usable = list.filter((one) => algorithms.test(one));
  return usable.length > 0
    ? finding(name, 'one with a public key', usable.join(' '), false)
    : finding(
        name,
        'one with a public key, such as RS256',
        list.join(' ') || 'nothing said',
        "the provider's signing key: RS256 or ES256, no secret that both sides share",
      );
}
