import { testCorpus } from './corpus.ts';

testCorpus();
