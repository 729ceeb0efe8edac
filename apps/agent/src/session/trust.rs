//! Whom TLS believes: the roots that browsers know, and the system's certificates. `SSL_CERT_FILE` and `SSL_CERT_DIR` stand
//! for the system's where they are set.

use std::ffi::OsString;
use std::path::Path;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

pub fn config() -> Result<ClientConfig, String> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let set = |name| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    let (file, dir) = (set("SSL_CERT_FILE"), set("SSL_CERT_DIR"));
    if let Some(file) = &file {
        let wrong = |why: String| {
            let shown = Path::new(file).display();
            format!("SSL_CERT_FILE names {shown}, which cannot be used ({why}); name a PEM file.")
        };
        for certificate in CertificateDer::pem_file_iter(file).map_err(|e| wrong(e.to_string()))? {
            roots
                .add(certificate.map_err(|e| wrong(e.to_string()))?)
                .map_err(|e| wrong(e.to_string()))?;
        }
    }
    for dir in dir.iter().flat_map(std::env::split_paths) {
        add_folder(&mut roots, &dir).map_err(|error| {
            let shown = dir.display();
            format!("SSL_CERT_DIR names {shown}, which cannot be used ({error}); name a folder of PEM files.")
        })?;
    }
    if file.is_none() && dir.is_none() {
        add_the_systems(&mut roots);
    }
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}

/// A folder holds the same as the file, so it is read only where there is no file.
fn add_the_systems(roots: &mut RootCertStore) {
    let found = openssl_probe::probe();
    if let Some(file) = &found.cert_file {
        add_file(roots, file);
        return;
    }
    for dir in &found.cert_dir {
        let _ = add_folder(roots, dir);
    }
}

fn add_folder(roots: &mut RootCertStore, dir: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        add_file(roots, &entry?.path());
    }
    Ok(())
}

/// What is no certificate is passed over, as OpenSSL does.
fn add_file(roots: &mut RootCertStore, path: &Path) {
    let certificates = CertificateDer::pem_file_iter(path).into_iter().flatten();
    roots.add_parsable_certificates(certificates.flatten());
}
