// Runs this folder's tests inside a real VS Code's extension host.
import { resolve } from 'node:path';
import { main, runInside } from '../e2e/inside';

main(() =>
  runInside({
    tests: 'test/host',
    workspace: ['test/host/workspace'],
    beside: resolve(__dirname, 'chat-model'),
    only: process.argv[2],
  }),
);
