//! The PMIC of a Raspberry Pi 5: its firmware says the current and the voltage of each rail. `vcgencmd pmic_read_adc` asks it
//! through the device /dev/vcio, and so does this: no program is started while there is load. Who may not open the device may
//! not use vcgencmd either.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::AsRawFd;

use crate::host::sysroot::SysRoot;

const DEVICE: &str = "/dev/vcio";
const COMMAND: &[u8] = b"pmic_read_adc\0";

/// `_IOWR(100, 0, char *)` of the kernel's vcio driver.
const PROPERTY: usize = (3 << 30) | (size_of::<*const libc::c_char>() << 16) | (100 << 8);
/// The property that runs a command of the firmware.
const GENCMD: u32 = 0x0003_0080;
/// Room for the command and for what it prints.
const TEXT_BYTES: usize = 1024;
/// Size, code, property, room, length, error.
const HEAD_WORDS: usize = 6;
/// With the end of the list behind the text.
const WORDS: usize = HEAD_WORDS + TEXT_BYTES / 4 + 1;

#[derive(Debug)]
pub struct Pmic(File);

impl Pmic {
    /// `None` on other machines, and where the device may not be opened. Older boards open it and say no rails.
    pub fn open(sys: &SysRoot) -> Option<Self> {
        let model = sys.text("proc/device-tree/model")?;
        let is_pi = model.contains("Raspberry Pi") && sys.is_host();
        is_pi.then(|| File::open(DEVICE).ok()).flatten().map(Self)
    }

    pub fn microwatts(&self) -> Option<u64> {
        sum_of_rails(&self.ask()?)
    }

    fn ask(&self) -> Option<String> {
        let mut message = [0_u32; WORDS];
        message[0] = (WORDS * 4) as u32;
        message[2] = GENCMD;
        message[3] = TEXT_BYTES as u32;
        for (word, bytes) in message[HEAD_WORDS..].iter_mut().zip(COMMAND.chunks(4)) {
            let mut padded = [0; 4];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = u32::from_ne_bytes(padded);
        }
        // SAFETY: the driver reads and writes as many bytes as the first word says, which is all of `message` and no more; the
        // descriptor is open for as long as `self` lives.
        let failed = unsafe { libc::ioctl(self.0.as_raw_fd(), PROPERTY as _, message.as_mut_ptr()) } < 0;
        if failed || message[HEAD_WORDS - 1] != 0 {
            return None;
        }
        let words = &message[HEAD_WORDS..WORDS - 1];
        let text: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let end = text.iter().position(|byte| *byte == 0)?;
        String::from_utf8(text[..end].to_vec()).ok()
    }
}

/// Current × voltage of each rail. The input and the battery have a voltage alone and are left out; a current without its
/// voltage would make the sum a part, so there is none.
fn sum_of_rails(text: &str) -> Option<u64> {
    let (mut amperes, mut volts) = (BTreeMap::new(), BTreeMap::new());
    for line in text.lines() {
        let Some((name, said)) = line.trim().split_once(' ') else {
            continue;
        };
        let Some((kind, value)) = said.trim().split_once('=') else {
            continue;
        };
        if kind.starts_with("current(") {
            amperes.insert(name.strip_suffix("_A")?, quantity(value.strip_suffix('A')?)?);
        } else if kind.starts_with("volt(") {
            volts.insert(name.strip_suffix("_V")?, quantity(value.strip_suffix('V')?)?);
        }
    }
    if amperes.is_empty() {
        return None;
    }
    let watts = amperes
        .iter()
        .map(|(rail, amperes)| Some(amperes * volts.get(rail)?))
        .sum::<Option<f64>>()?;
    Some((watts * 1e6).round() as u64)
}

fn quantity(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| (0.0..100.0).contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The form is that of Raspberry Pi's public documentation of `vcgencmd pmic_read_adc`; the numbers are made up, so that
    /// the sum can be told. Nobody has recorded one here.
    const SAID: &str = " 3V7_WL_SW_A current(0)=0.10000000A
   3V3_SYS_A current(1)=0.20000000A
  DDR_VDDQ_A current(4)=0.00000000A
  VDD_CORE_A current(7)=1.50000000A
 3V7_WL_SW_V volt(8)=3.70000000V
   3V3_SYS_V volt(9)=3.30000000V
  DDR_VDDQ_V volt(12)=0.60000000V
  VDD_CORE_V volt(15)=0.80000000V
     EXT5V_V volt(24)=5.10000000V
      BATT_V volt(25)=0.00000000V
";

    #[test]
    fn rails_with_a_current_and_a_voltage_are_added() {
        assert_eq!(sum_of_rails(SAID), Some(370_000 + 660_000 + 1_200_000));
    }

    #[test]
    fn a_text_that_is_not_whole_is_no_sum() {
        let cut = SAID.split(" 3V7_WL_SW_V").next().unwrap();
        assert_eq!(sum_of_rails(cut), None);
        assert_eq!(sum_of_rails(&SAID.replace("0.80000000V", "none")), None);
        assert_eq!(sum_of_rails(&SAID.replace("1.50000000A", "-1.5A")), None);
        assert_eq!(sum_of_rails(&SAID.replace("1.50000000A", "NaNA")), None);
    }

    /// What firmware without the command says, as on a Raspberry Pi 4.
    #[test]
    fn firmware_without_the_command_has_no_rails() {
        assert_eq!(sum_of_rails("error=1 error_msg=\"Command not registered\""), None);
        assert_eq!(sum_of_rails(""), None);
    }

    #[test]
    fn no_other_machine_is_asked() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("proc/device-tree")).unwrap();
        std::fs::write(
            dir.path().join("proc/device-tree/model"),
            "Raspberry Pi 5 Model B Rev 1.0\0",
        )
        .unwrap();
        assert!(Pmic::open(&SysRoot::at(dir.path())).is_none());
    }
}
