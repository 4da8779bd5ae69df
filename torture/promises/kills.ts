import { crashRounds, describe, type Machine, type OpenMachine, suppliesFor } from '../crash-rounds.ts';
import { openSqlitePlace } from '../places.ts';
import { populate } from '../population.ts';
import type { Promised } from '../promise.ts';
import { type Fault, type Server, startServer } from '../server.ts';

const KILLS = 200;
const CONTROL_KILLS = 10;
const WRITES_A_KILL = 50;

/** A machine whose process is killed: what the operating system was given is still there. */
function openKilled(rounds: number, fault?: Fault): OpenMachine {
  return async (onLog): Promise<Machine> => {
    const place = openSqlitePlace();
    const population = await populate(place.address, suppliesFor(rounds));
    const start = () => startServer({ env: place.env, fault, onLog });
    let server: Server = await start();
    return {
      population,
      server: () => server,
      address: () => place.address,
      crash: () => server.kill(),
      async restart() {
        server = await start();
      },
      async remove() {
        await server.kill();
        place.remove();
      },
    };
  };
}

export const kills: Promised = {
  id: 'R1',
  promise: 'acknowledged writes survive kill -9',
  async attempt({ rounds, say }) {
    const times = rounds(KILLS);
    const tally = await crashRounds(openKilled(times), times, WRITES_A_KILL, say);
    const controlTimes = Math.min(times, CONTROL_KILLS);
    const openControl = openKilled(controlTimes, 'answers-before-commit');
    const control = await crashRounds(openControl, controlTimes, WRITES_A_KILL, () => {});
    return [
      {
        promised: `${KILLS} kills, at least ${(KILLS * WRITES_A_KILL).toLocaleString('en')} acknowledged, 0 lost`,
        measured: describe(tally),
        isKept: tally.lost === 0 && tally.acknowledged >= times * WRITES_A_KILL && tally.faults.length === 0,
        control: `answered before the commit: ${describe(control)}`,
        isControlSeen: control.lost > 0,
      },
    ];
  },
};
