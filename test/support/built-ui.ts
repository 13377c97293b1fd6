import { buildUi } from '../../script/build-ui.ts';

/** Once before all tests: the gateway reads the UI when it starts. */
export default buildUi;
