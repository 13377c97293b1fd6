import { build } from '../../script/build.ts';

/** Once before all tests: they start the programs of the bundle, and the gateway reads the UI when it starts. */
export default build;
