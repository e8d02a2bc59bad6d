import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const tags: Record<string, string> = {
  'linux-x64': 'manylinux_2_28_x86_64',
  'linux-arm64': 'manylinux_2_28_aarch64',
  'darwin-arm64': 'macosx_14_0_arm64',
  'win32-x64': 'win_amd64',
  'win32-arm64': 'win_arm64',
};

/** The platform in the name of the wheel for this machine. */
export const tag = tags[`${process.platform}-${process.arch}`];
export const wheel = join('out/packages', `captious-${version}-py3-none-${tag}.whl`);
