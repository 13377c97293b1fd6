import { finding, skipped, type Finding } from '../check.ts';
import { inWords, isSuccess, type Answer } from './answer.ts';
import type { Examination, FrontCheck } from './examination.ts';
import { authority } from './raw-exchange.ts';

/** The front has a valid certificate for its name, and plain HTTP only redirects to https. */
export const tls: FrontCheck = {
  name: 'tls',
  run: async (examination) => [connection(examination), await plainHttp(examination)],
};

function connection({ options, first: { certificateProblem } }: Examination): Finding {
  const { front, insecure } = options;
  if (!front.tls) {
    return finding(
      `GET / to ${authority(front)}`,
      'TLS',
      'plain HTTP',
      'listen with ssl, or set tls.enabled: true, and give the users the https address',
    );
  }
  if (certificateProblem !== undefined && insecure)
    return skipped(`--insecure: the certificate is not looked at (${certificateProblem})`);
  const good = 'a valid certificate';
  return finding(
    'a TLS handshake',
    good,
    certificateProblem ?? good,
    certificateProblem !== undefined &&
      'give ssl_certificate (or tls.certificate) the whole chain of a certificate for this name; --insecure when it is self-signed on purpose',
  );
}

async function plainHttp({ options, knock }: Examination): Promise<Finding> {
  const { http, prefix } = options;
  if (http === undefined) return skipped('give --http host:port, where plain HTTP is answered');
  const answer = await knock(http, { target: `${prefix}/` });
  return finding(
    `GET / in plain HTTP to ${authority(http)}`,
    'a redirect to https, or nothing',
    inWords(answer),
    isServed(answer) && 'return 301 https://$host$request_uri; in that server',
  );
}

/** An unencrypted answer with which a browser would continue: a page, a request for a login, a redirect to more of it. */
function isServed(answer: Answer): boolean {
  if (answer.status >= 300 && answer.status < 400) {
    return !answer.headers.get('location')?.every((url) => /^https:/i.test(url));
  }
  return isSuccess(answer) || answer.status === 401;
}
