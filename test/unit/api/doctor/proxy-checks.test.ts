import { describe, expect, test } from 'vitest';
import { claimsOf } from '../../../../src/api/doctor/front/proxy-checks.ts';
import { resolveConfiguration } from '../../../../src/config/resolve.ts';

const trustedHeaders = ['remote-user', 'x-idp-name', 'x-idp-groups', 'x-proxy-secret'];
const context = {
  environment: {},
  trustedHeaders: new Set(trustedHeaders),
  trustedHeadersFile: 'headers.conf',
};

describe('the headers of a proxy that are tried', () => {
  test('have their configured names, and a group that gives admin', () => {
    const configuration = resolveConfiguration(
      {
        auth: { enabled: false },
        proxy: {
          header_map: { user: 'X-Idp-Name', role: 'X-Idp-Groups', role_map: { admin: ['house-owners'] } },
          default_role: 'viewer',
        },
      },
      context,
    );
    expect(claimsOf({ configuration, trustedHeaders }).map(({ name, value }) => `${name}: ${value}`)).toEqual(
      [
        'x-idp-groups: house-owners',
        'x-idp-groups: postern-doctor',
        'x-idp-name: admin',
        'x-idp-name: postern-doctor',
      ],
    );
  });

  test('are all that a proxy may send where no configuration is given', () => {
    const names = claimsOf({ configuration: undefined, trustedHeaders }).map(({ name }) => name);
    expect([...new Set(names)]).toEqual(['remote-user', 'x-idp-name', 'x-idp-groups']);
  });
});
