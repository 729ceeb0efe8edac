//! The run that a command is about: a result file, a run of an app, or a report that anybody can read. One loader for all
//! commands, so that each takes all three.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::facts::Report;
use super::result_file::ResultFile;
use super::snapshot::{self, Found};
use crate::cli::args::RemoteArgs;
use crate::cli::{CliError, remote, wait};
use crate::control::message::Run;
use crate::control::{Api, ApiError, Call};
use crate::session::client::base_of;
use crate::text::plain;

const NAME_CHARS: usize = 200;
/// Longest name of a report in its address.
const SLUG_CHARS: usize = 100;

/// A file that is there is that file, whatever it is called.
///
/// # Errors
/// In one sentence: what is not there, may not be read, or is none of the three.
pub async fn load(text: &Path, args: &RemoteArgs) -> Result<Report, CliError> {
    let name = text.to_str().filter(|_| !text.exists()).unwrap_or_default().trim();
    if name.parse::<Uuid>().is_ok() || name.contains("/runs/") && name.contains("://") {
        return Ok(of_app(name, args).await?.report);
    }
    if name.contains("://") {
        return of_report(name, args).await;
    }
    Report::of(ResultFile::read(text)?)
}

/// A run of the app that we are logged in at.
pub struct OfApp {
    pub api: Api,
    pub run: Run,
    pub report: Report,
    pub source: Option<crate::source::Source>,
}

pub async fn of_app(text: &str, args: &RemoteArgs) -> Result<OfApp, CliError> {
    let (api, _) = remote::api(args)?;
    let id = wait::run_id(text, api.base())?;
    let run: Run = api.json(Call::get(format!("runs/{id}"))).await?;
    let value: Value = match api.json(Call::get(format!("runs/{id}/snapshot"))).await {
        // The run is there, so it is the address that is not.
        Err(error) if error.status() == Some(404) => {
            return Err(CliError::failed(
                "old-app",
                format!(
                    "{} is older than this Rigmark and does not hand out runs; update the app, or give the run's result file.",
                    api.base()
                ),
            ));
        }
        other => other?,
    };
    let Found { report, source } = snapshot::read(value, &format!("The run {id}"))?;
    Ok(OfApp {
        api,
        run,
        report,
        source,
    })
}

#[derive(Deserialize)]
struct ReportFile {
    report: u32,
    runs: Vec<Value>,
}

/// No token is sent: whoever has the address may read it.
async fn of_report(text: &str, args: &RemoteArgs) -> Result<Report, CliError> {
    let address = Address::parse(text)?;
    let api = Api::without_token(&address.base, args.allow_http, remote::patience(args), remote::note())?;
    let call = Call::public(format!("r/{}.json", address.slug));
    let name = format!("The report {}/r/{}", api.base(), address.slug);
    let Value::Object(fields) = api.json(call).await? else {
        return Err(no_report(&name).into());
    };
    let Ok(ReportFile { report, runs }) = serde_json::from_value(Value::Object(fields)) else {
        return Err(no_report(&name).into());
    };
    if report != 1 {
        return Err(CliError::failed(
            "version",
            format!("{name} has version {report}, and this Rigmark reads version 1; use the same Rigmark as its app."),
        ));
    }
    let count = runs.len();
    let at = match (address.number, count) {
        (None, 1) => 0,
        (Some(number), _) if (1..=count).contains(&number) => number - 1,
        _ => {
            return Err(CliError::usage(
                "which-run",
                format!("{name} holds {count} runs; add #1 to #{count} to its address to choose one."),
            ));
        }
    };
    let run = runs.into_iter().nth(at).ok_or_else(|| no_report(&name))?;
    Ok(snapshot::read(run, &name)?.report)
}

fn no_report(name: &str) -> ApiError {
    ApiError::Foreign(format!("{name} is not a report; check the address."))
}

/// `https://rigmark.example/r/SLUG`, also of its other forms, and with the number of a run behind `#`.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    base: String,
    slug: String,
    number: Option<usize>,
}

impl Address {
    fn parse(text: &str) -> Result<Self, CliError> {
        let wrong = || {
            CliError::usage(
                "address",
                format!(
                    "{:?} is not a file, a run or a report; an address looks like https://rigmark.example.com/r/NAME or …/w/NAME/runs/ID.",
                    plain(text, NAME_CHARS)
                ),
            )
        };
        let (text, number) = match text.split_once('#') {
            Some((text, number)) => (text, Some(number.parse().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let (base, rest) = text.rsplit_once("/r/").ok_or_else(wrong)?;
        let slug = rest.split(['/', '?', '.']).next().unwrap_or_default();
        let fine = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        if !(1..=SLUG_CHARS).contains(&slug.len()) || !slug.chars().all(fine) {
            return Err(wrong());
        }
        Ok(Self {
            base: base_of(base, true).map_err(|_| wrong())?,
            slug: slug.to_owned(),
            number,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_named_by_any_of_its_addresses() {
        for (text, number) in [
            ("https://a.example/r/abc-1", None),
            ("https://a.example/r/abc-1.json", None),
            ("https://a.example/r/abc-1/og.png?lang=zh", None),
            ("https://a.example/r/abc-1#2", Some(2)),
        ] {
            let (base, slug) = ("https://a.example".to_owned(), "abc-1".to_owned());
            assert_eq!(Address::parse(text).unwrap(), Address { base, slug, number }, "{text}");
        }
        for wrong in [
            "https://a.example/",
            "https://a.example/r/",
            "https://a.example/r/a%2Fb",
            "https://a.example/r/abc#two",
            "ftp://a.example/r/abc",
            "https://u:p@a.example/r/abc",
        ] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }
}
