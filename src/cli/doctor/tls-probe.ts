import { inWords, isSuccess, type Answer } from './answer.ts';
import type { Examination } from './examination.ts';
import { fault, ok, skipped, type Finding, type Probe } from './probe.ts';
import { authority } from './raw-exchange.ts';

export const tlsProbe: Probe = {
  name: 'tls',
  meaning:
    'The front speaks TLS with a certificate that is good for its name (`--insecure` skips the certificate), and plain HTTP leads only to https.',
  change:
    '`listen 8971 ssl;` with `ssl_certificate` and `ssl_certificate_key` (`nginx/nginx.conf`), or `tls.enabled: true` with `tls.certificate` and `tls.key`; for the port of plain HTTP `return 301 https://$host$request_uri;`.',
  run: async (examination) => [connection(examination), await plainHttp(examination)],
};

function connection({ options, first }: Examination): Finding {
  const { front, insecure } = options;
  if (!front.tls) {
    return fault(
      `GET / to ${authority(front)}`,
      'TLS',
      'plain HTTP',
      'listen with ssl, or set tls.enabled: true, and give the users the https address',
    );
  }
  const { certificateProblem } = first;
  if (certificateProblem === undefined)
    return ok('a TLS handshake', 'a good certificate', 'a good certificate');
  if (insecure) return skipped(`--insecure: the certificate is not looked at (${certificateProblem})`);
  return fault(
    'a TLS handshake',
    'a good certificate',
    certificateProblem,
    'give ssl_certificate (or tls.certificate) the whole chain of a certificate for this name; --insecure when it is self-signed on purpose',
  );
}

async function plainHttp({ options, knock }: Examination): Promise<Finding> {
  const { http, prefix } = options;
  if (http === undefined) return skipped('give --http host:port, where plain HTTP is answered');
  const answer = await knock(http, { target: `${prefix}/` });
  const sent = `GET / in plain HTTP to ${authority(http)}`;
  const expected = 'a redirect to https, or nothing';
  if (isServed(answer)) {
    return fault(sent, expected, inWords(answer), 'return 301 https://$host$request_uri; in that server');
  }
  return ok(sent, expected, inWords(answer));
}

/** An answer in the clear with which a browser would go on: a page, a request for a login, a redirect to more of it. */
function isServed(answer: Answer): boolean {
  if (answer.status >= 300 && answer.status < 400) {
    return !answer.headers.get('location')?.every((url) => /^https:/i.test(url));
  }
  return isSuccess(answer) || answer.status === 401;
}
