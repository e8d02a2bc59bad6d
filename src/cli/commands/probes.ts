import { probes } from '../../probe/generated/probes';
import { probeNamed } from '../../probe/list';
import type { Command } from '../arguments';
import { probeHelp } from '../help';
import { print, printJson } from '../terminal';

export const probesCommand: Command = {
  name: 'probes',
  summary: 'list the probes, or one probe with its options',
  usage: ['probes [ID…]'],
  operands: { 'ID…': 'probes to describe with all their options and defaults' },
  options: { json: { describe: 'print the probes and their options as one JSON value' } },
  examples: ['probes lgip'],

  run({ positionals, values }) {
    const chosen = positionals.length === 0 ? probes : positionals.map(probeNamed);
    if (values.json)
      printJson(chosen.map(({ id, title, question, options }) => ({ id, title, question, options })));
    else if (positionals.length > 0) print(chosen.map(probeHelp).join('\n\n'));
    else for (const { id, question } of chosen) print(`${id.padEnd(12)}${question}`);
    return Promise.resolve(0);
  },
};
