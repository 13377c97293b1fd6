import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, in that order: one that began last would run on alone. Of the others, the larger come first. */
const slowest = [
  'system/log-faults',
  'attack/delayed',
  'attack/stalled-clients',
  'browser/accessibility',
  'attack/corpus',
  'attack/connection-flood',
  'browser/managed-roles',
  'system/fronts/public-paths',
  'attack/login',
  'system/fronts/own-identity',
  'system/doctor',
  'system/gates/revocation',
  'system/gates/five-gates',
  'browser/api-tokens',
  'unit/store/postgres/open-store',
  'browser/audit',
  'system/pages',
  'system/audit',
  'browser/explore',
  'system/whole-recorder',
  'system/restore',
  'unit/cli/postern',
  'system/shared-command',
  'unit/store/postgres/suite',
  'attack/connection-shares',
  'browser/redirects',
  'system/bad-databases',
  'attack/pipelining',
  'browser/prefix',
  'system/audit-kill',
  'system/home-automation',
  'system/upgrade',
  'system/shared-roles',
  'system/store-copy',
  'unit/cli/output',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place === -1 ? slowest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
