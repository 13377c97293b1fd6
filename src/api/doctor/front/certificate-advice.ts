import type { PeerCertificate } from 'node:tls';

/** Facts of a certificate for a sentence about it. */
export interface CertificateFacts {
  /** Name of its authority. */
  readonly issuer: string;
  /** DNS names and addresses that it is for. */
  readonly names: readonly string[];
  readonly from: string;
  readonly until: string;
  /** Whether it tells where to get the certificate of its authority, as public authorities do. */
  readonly namesIssuer: boolean;
}

export function factsOf({
  issuer,
  subjectaltname,
  infoAccess,
  valid_from,
  valid_to,
}: Partial<PeerCertificate>): CertificateFacts {
  const names = (subjectaltname ?? '').split(', ').map((name) => name.replace(/^[\w ]+:/, ''));
  return {
    issuer:
      [issuer?.O, issuer?.CN].flat().find((name) => name !== undefined && name !== '') ??
      'an unnamed authority',
    names: names.filter((name) => name !== ''),
    from: valid_from ?? '',
    until: valid_to ?? '',
    namesIssuer: infoAccess?.['CA Issuers - URI'] !== undefined,
  };
}

const place = 'ssl_certificate (or tls.certificate)';

/** @param problem the code of Node and OpenSSL. @returns the sentence with what to do about it */
export function certificateAdvice(problem: string, host: string, facts: CertificateFacts): string {
  const { issuer, names, from, until, namesIssuer } = facts;
  switch (problem) {
    case 'CERT_HAS_EXPIRED':
      return `the certificate ended on ${until}: renew it, and reload the front, which keeps the previous one until then`;
    case 'CERT_NOT_YET_VALID':
      return `the certificate is valid only from ${from}: set the clock of this machine, or make the certificate anew if its maker's clock was wrong`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate is for ${names.join(', ') || 'no name'}, not for ${host}: give ${place} one for ${host}, or open the site by a name that it has`;
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return namesIssuer
        ? `the front sends its certificate without the intermediate one of ${issuer}: give ${place} the whole chain, such as fullchain.pem`
        : `the front sends only its own certificate, and this machine does not know ${issuer}, which made it: give ${place} the whole chain with the intermediate certificate; if ${issuer} is an authority of your own, have each device trust it`;
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `the certificate is from an authority that this machine does not know, ${issuer}: give ${place} one of a public authority, or have each device trust ${issuer} (for the doctor: NODE_EXTRA_CA_CERTS)`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return `the certificate is self-signed: give ${place} one of an authority; --insecure when it is self-signed on purpose`;
    default:
      return `give ${place} the whole chain of a certificate for this name; --insecure when it is self-signed on purpose`;
  }
}
