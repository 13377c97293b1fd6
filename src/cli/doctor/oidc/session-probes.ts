import { info, ok, type Finding } from '../probe.ts';
import { listIn, textIn, type Fields } from './provider-answer.ts';
import type { OidcConfiguration } from '../../../config/configuration.ts';
import type { ProviderExamination, ProviderProbe } from './provider-examination.ts';

export const providerSessionsProbe: ProviderProbe = {
  name: 'oidc-sessions',
  meaning:
    'What the provider can do for sessions that go on: refresh tokens, by which the role follows the groups, and how long one must last; back-channel logout, by which a logout there ends the session here at once; and a logout page, to which the logout here leads.',
  change:
    'Refresh tokens: `offline_access` in `auth.oidc.scopes` where the provider lists it, and the grant `refresh_token` of the client. What a provider cannot do at all is no fault: `auth.session_length` bounds every session.',
  run: async ({ oidc, metadata, lengths }) => [
    refreshFinding(oidc, metadata),
    askedAgain(lengths),
    offers(
      metadata['backchannel_logout_supported'] === true,
      'back-channel logout',
      'not offered: a logout at the provider ends the session here at its next refresh at the earliest',
    ),
    offers(
      textIn(metadata, 'end_session_endpoint') !== undefined,
      'logout at the provider',
      'not offered: a logout here leaves the session at the provider; logout_url may lead to its logout page',
    ),
  ],
};

/** Whether a refresh token is to be expected; only a login shows it. */
function refreshFinding({ scopes }: OidcConfiguration, metadata: Fields): Finding {
  const name = 'refresh tokens';
  const grants = listIn(metadata, 'grant_types_supported');
  if (grants !== undefined && !grants.includes('refresh_token'))
    return info(name, `not offered: ${withoutRefresh}`);
  const needsScope = listIn(metadata, 'scopes_supported')?.includes('offline_access') === true;
  if (needsScope && !scopes.split(' ').includes('offline_access'))
    return info(
      name,
      `perhaps only with the scope offline_access; without one ${withoutRefresh}`,
      'auth.oidc.scopes: offline_access, where the guide of the provider asks for it, and the same for the client there',
    );
  return grants === undefined
    ? info(name, `the provider says nothing of them; without one ${withoutRefresh}`)
    : ok(name, 'offered', 'offered');
}

const withoutRefresh =
  'a session ends after auth.session_length, and the role is that of the login until then';

function offers(isOffered: boolean, name: string, otherwise: string): Finding {
  return isOffered ? ok(name, 'offered', 'offered') : info(name, otherwise);
}

/** A refresh token must last as long, and nobody notices a change of groups before. */
function askedAgain({ sessionLength, refreshTime }: ProviderExamination['lengths']): Finding {
  const minutes = [sessionLength - refreshTime, sessionLength].map((time) => Math.round(time / 60_000));
  return info(
    'how long until the provider is asked again',
    `${minutes.join(' to ')} minutes: a refresh token must last as long`,
    'auth.session_length and auth.refresh_time, or how long refresh tokens last at the provider',
  );
}
