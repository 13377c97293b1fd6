import { describe } from 'vitest';
import { featureNames, featureNeeds, type FeatureName } from '../../src/policy/features.ts';
import { testCorpus } from './corpus.ts';

/** Those that cannot be on without it are off too. */
const withThoseThatNeedIt = featureNames.map((name) =>
  featureNames.filter(
    (other) =>
      other === name || featureNeeds.some(([needing, needed]) => needing === other && needed === name),
  ),
);

describe.each(withThoseThatNeedIt)('without %s', (...off: FeatureName[]) =>
  testCorpus(['embedded front'], off),
);
