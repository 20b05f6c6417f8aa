import Stage

/// The words of the greeter, and of the settings of the lock.
extension Catalogue {
    static func english(greeter message: Message) -> String {
        switch message {
        case .logIn: "Log In"
        case .otherPerson: "Other…"
        case .userName: "User Name"
        case .loginSession: "Session"
        case .sessionStarts: "“%1” is starting."
        case .notStarted: "The session did not start: %1"
        case .loginBroken: "The login service cannot be reached. Go back to try again."
        case .sessionSlow: "The session takes long to start. Go back to try again."
        case .readingPeople: "Looking for people…"
        case .screenReader: "Screen Reader"
        case .aids: "Accessibility"
        case .keysOnScreen: "Keys on the Screen"
        case .restartNow: "Restart"
        case .turnOffNow: "Power Off"
        case .lockAfter: "Lock When Unused"
        case .lockOnSleep: "Lock When Sleeping"
        case .lockKeys: "Keys on the Lock Screen"
        case .lockKeysNone: "None"
        case .passwordExpired: "Your Password Has Expired"
        case .passwordExpiredNow: "Choose a new one with “passwd” in a terminal."
        case .emergencyCall: "Emergency Call"
        case .overOpens: "Opening “%1”…"
        case .overElsewhere: "Unlock to use “%1”."
        case .heldUpBehindLock: "An app holds this up. Unlock to see which one."
        default: ""
        }
    }

    static func korean(greeter message: Message) -> String {
        switch message {
        case .logIn: "로그인"
        case .otherPerson: "다른 사용자…"
        case .userName: "사용자 이름"
        case .loginSession: "세션"
        case .sessionStarts: "“%1”을(를) 시작하는 중입니다."
        case .notStarted: "세션을 시작하지 못했습니다: %1"
        case .loginBroken: "로그인 서비스에 연결할 수 없습니다. 뒤로 돌아가 다시 시도하십시오."
        case .sessionSlow: "세션을 시작하는 데 오래 걸립니다. 뒤로 돌아가 다시 시도하십시오."
        case .readingPeople: "사용자를 찾는 중…"
        case .screenReader: "화면 낭독기"
        case .aids: "손쉬운 사용"
        case .keysOnScreen: "화면 키보드"
        case .restartNow: "다시 시작"
        case .turnOffNow: "전원 끄기"
        case .lockAfter: "사용하지 않을 때 잠금"
        case .lockOnSleep: "잠자기 전에 잠금"
        case .lockKeys: "잠금 화면의 키"
        case .lockKeysNone: "없음"
        case .passwordExpired: "암호가 만료되었습니다"
        case .passwordExpiredNow: "터미널에서 “passwd”로 새 암호를 설정하십시오."
        case .emergencyCall: "긴급 전화"
        case .overOpens: "‘%1’ 앱을 여는 중…"
        case .overElsewhere: "‘%1’ 앱을 사용하려면 잠금을 해제하십시오."
        case .heldUpBehindLock: "앱이 종료를 막고 있습니다. 잠금을 해제하여 확인하십시오."
        default: ""
        }
    }

    static func japanese(greeter message: Message) -> String {
        switch message {
        case .logIn: "ログイン"
        case .otherPerson: "その他…"
        case .userName: "ユーザ名"
        case .loginSession: "セッション"
        case .sessionStarts: "“%1”を起動しています。"
        case .notStarted: "セッションを開始できませんでした: %1"
        case .loginBroken: "ログインサービスに接続できません。戻ってもう一度お試しください。"
        case .sessionSlow: "セッションの開始に時間がかかっています。戻ってもう一度お試しください。"
        case .readingPeople: "ユーザを探しています…"
        case .screenReader: "スクリーンリーダー"
        case .aids: "アクセシビリティ"
        case .keysOnScreen: "画面のキー"
        case .restartNow: "再起動"
        case .turnOffNow: "電源を切る"
        case .lockAfter: "使用していないときにロック"
        case .lockOnSleep: "スリープ時にロック"
        case .lockKeys: "ロック画面のキー"
        case .lockKeysNone: "なし"
        case .passwordExpired: "パスワードの期限が切れました"
        case .passwordExpiredNow: "ターミナルの“passwd”で新しいパスワードを設定してください。"
        case .emergencyCall: "緊急通報"
        case .overOpens: "“%1”を開いています…"
        case .overElsewhere: "“%1”を使うにはロックを解除してください。"
        case .heldUpBehindLock: "アプリが終了を妨げています。ロックを解除して確認してください。"
        default: ""
        }
    }
}
