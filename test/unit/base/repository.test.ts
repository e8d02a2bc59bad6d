import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

interface Launch {
  configurations: { name: string; program?: string; preLaunchTask?: string }[];
}
interface Tasks {
  tasks: { label: string; type: string; script?: string }[];
}

function json<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

describe('the files for contributors', () => {
  const { configurations } = json<Launch>('.vscode/launch.json');
  const { tasks } = json<Tasks>('.vscode/tasks.json');

  it('start programs and tasks that exist', () => {
    assert.ok(configurations.length >= 4);
    for (const { name, program, preLaunchTask } of configurations) {
      const path = program?.replace('${workspaceFolder}/', '');
      // The build makes dist.
      if (path !== undefined && !path.startsWith('dist/')) assert.ok(existsSync(path), name);
      if (preLaunchTask !== undefined)
        assert.ok(
          tasks.some(({ label }) => label === preLaunchTask),
          name,
        );
    }
    for (const { label, type, script } of tasks)
      if (type === 'npm') assert.ok(script !== undefined && Object.hasOwn(scripts, script), label);
  });

  it('run scripts that exist in every workflow', () => {
    const folder = '.github/workflows';
    const named = readdirSync(folder).flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
    });
    assert.ok(named.length >= 5);
    assert.deepEqual(
      named.filter((script) => !Object.hasOwn(scripts, script)),
      [],
    );
  });

  it('are in no package', () => {
    for (const name of ['.npmignore', '.vscodeignore'])
      assert.doesNotMatch(readFileSync(name, 'utf8'), /^!\/?\.(vscode|github)/m);
  });
});
