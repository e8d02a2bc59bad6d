import { JudgeMemory } from '../../../../src/evaluator/judge/judgeMemory';

/** A process that stores consent to many endpoints: node judgeMemoryChild HOME NAME COUNT. */
async function main([home, name, count]: string[]): Promise<void> {
  const memory = new JudgeMemory(home);
  for (let i = 0; i < Number(count); i++) await memory.consent(`${name} ${i}`);
}

void main(process.argv.slice(2));
