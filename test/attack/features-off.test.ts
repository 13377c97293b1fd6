import { describe } from 'vitest';
import { featureNames } from '../../src/policy/features.ts';
import { testCorpus } from './corpus.ts';

/* What is off opens nothing, and nothing else opens or closes with it. */
describe('with every feature off', () => testCorpus(['embedded front'], featureNames));
