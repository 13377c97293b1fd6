import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowFiles } from '../slow-files.ts';

/** The slowest files, in their order, and then the others. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ['attack/corpus', ...slowFiles];
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = order.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place === -1 ? order.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
