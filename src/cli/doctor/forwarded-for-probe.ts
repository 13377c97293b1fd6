import { inWords, type Answer } from './answer.ts';
import { fault, ok, skipped, type Probe } from './probe.ts';

/** More than the default limit lets through in a minute, and few enough to do no harm. */
const attempts = 8;

const change =
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; in postern/authorization-request.conf; auth.trusted_proxies may list the networks of proxies only, never those of clients; auth.failed_login_rate_limit must not be empty (when it allows more than eight in a minute, say so by --config)';

export const forwardedForProbe: Probe = {
  name: 'forwarded-for',
  meaning:
    'The limit of failed logins follows the address of the client, not its `X-Forwarded-For`: up to eight logins fail on purpose, for a user that does not exist, with another address each, until 429. Only with `--login-probe`, since it uses up the limit of your own address for a minute.',
  change:
    '`proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;` in `postern/authorization-request.conf`; `auth.trusted_proxies` may list the networks of proxies only; `auth.failed_login_rate_limit` must not be empty.',
  run: async ({ options, context, send }) => {
    if (!options.loginProbe) return [skipped('give --login-probe: it uses up the limit of your own address')];
    const limit = context.configuration?.auth.failedLoginRateLimit;
    if (limit !== undefined && allowsMore(limit)) {
      return [skipped(`auth.failed_login_rate_limit allows more than ${attempts} failures`)];
    }
    const sent = `POST /api/login, ${attempts} failures, each from another X-Forwarded-For`;
    let answer: Answer | undefined;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      answer = await send({
        method: 'POST',
        target: '/api/login',
        // RFC 5737: nobody has these addresses.
        headers: [['X-Forwarded-For', `198.51.100.${attempt}`]],
        body: JSON.stringify({ user: context.unknownUser, password: 'no password at all' }),
      });
      if (answer.status === 429) return [ok(sent, '429', `429 at number ${attempt}`)];
      if (answer.status !== 401) return [skipped(`a login is answered with ${inWords(answer)}`)];
    }
    return [fault(sent, '429', `401 to all ${attempts}`, change)];
  },
};

/** @param limit such as `5/minute;20/hour` */
function allowsMore(limit: string): boolean {
  return limit.split(';').every((rule) => Number(rule.split('/')[0]) >= attempts);
}
