import { readFileSync } from 'node:fs';

/**
 * The most memory this process has held, in bytes. Where the system tells it of this program alone: what getrusage tells
 * begins with what the process that started it held.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}
