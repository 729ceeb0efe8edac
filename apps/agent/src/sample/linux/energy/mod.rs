//! Energy of the host: counted by RAPL, else power that is added up. Where there is neither, or the agent may not read it,
//! energy is null.

mod power_sum;
mod rapl;

use crate::host::sysroot::SysRoot;

use self::power_sum::PowerSum;
use self::rapl::Rapl;

pub enum Energy {
    Counted(Rapl),
    Added(PowerSum),
}

impl Energy {
    pub fn find(sys: &SysRoot) -> Option<Self> {
        let counted = Rapl::find(sys).map(Self::Counted);
        counted.or_else(|| PowerSum::find(sys).map(Self::Added))
    }

    /// At an edge of a slice: since this was made. It only grows. `None` from the first look on that failed.
    pub fn uj(&mut self) -> Option<u64> {
        match self {
            Self::Counted(rapl) => rapl.uj(),
            Self::Added(power) => power.uj(),
        }
    }

    /// Between two edges; false once a look has failed. A counter starts anew now and then, which only a look in between sees.
    /// Power is looked at without being asked.
    pub fn keep_up(&mut self) -> bool {
        match self {
            Self::Counted(rapl) => rapl.uj().is_some(),
            Self::Added(_) => true,
        }
    }
}
