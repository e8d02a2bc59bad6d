// Runs the tests of this folder inside the extension host of a real VS Code.
import { main, runInside } from '../e2e/inside';

main(() => runInside({ tests: 'test/host', workspace: ['test/host/workspace'], only: process.argv[2] }));
